# x264: an encoder whose threads work on frames, slices and a look-ahead, and wait for each other's lines; with its
# assembly, as Debian builds it, and its own test of that.
needs=(nasm python3)

build() {
	./configure --enable-pic --disable-avs --disable-lavf --disable-ffms --disable-gpac --disable-lsmash --disable-swscale \
		--disable-opencl --enable-debug
	make
	make checkasm
}

own_tests() {
	local bits
	for bits in 8 10; do
		timeout --kill-after=5 600 "$tree/checkasm$bits" 1 || return
	done
}

video() { # FRAMES: something that moves, 176x144, and a little noise
	python3 -c '
import sys
width, height, frames, x = 176, 144, int(sys.argv[1]), 1
out = sys.stdout.buffer
for f in range(frames):
    lines = bytearray()
    for y in range(height):
        for c in range(width):
            x = (x * 1103515245 + 12345) & 0x7fffffff
            square = 90 if (c - 3 * f) % 60 < 20 and (y - f) % 50 < 25 else 0
            lines.append((c + y + 2 * f) // 2 % 100 + 40 + square + (x >> 28))
    out.write(lines)
    out.write(bytes(100 + (i + f) % 50 for i in range(width // 2 * height // 2)) * 2)
' "$1"
}

encode() { run "$tree/x264" --quiet --no-progress --input-res 176x144 --fps 25 "$@" video.yuv; }

threads() {
	video 12 >video.yuv &&
		encode --threads 4 --preset fast -o frames.264 &&
		encode --threads 4 --sliced-threads --tune zerolatency -o slices.264 &&
		encode --threads 3 --lookahead-threads 2 --preset faster --bitrate 200 -o bitrate.264 &&
		encode --threads 1 --preset fast -o one.264
}

frames() {
	video 8 >video.yuv && encode --threads 4 --preset veryfast -o frames.264
}

slices() {
	video 3 >video.yuv && encode --threads 4 --sliced-threads --preset superfast -o slices.264
}

check() {
	suite "its own tests (checkasm8 and checkasm10)" own_tests
	same "frame threads, slice threads, look-ahead" threads
	tools "8 frames, four threads" frames
	tools "3 frames in slices, four threads" slices
}
