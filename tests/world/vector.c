// stdin: a line that is read into more pieces than most programs ever have, one for each of its many characters, end to end
/* A vector of many pieces, each of which a replay must fill. */
#include <stdio.h>
#include <sys/uio.h>

enum { MANY = 1000 };

static char bytes[MANY][2];

int main(void)
{
	struct iovec pieces[MANY];

	for (int i = 0; i < MANY; i++)
		pieces[i] = (struct iovec){bytes[i], 1};
	printf("%zd: ", readv(0, pieces, MANY));
	for (int i = 0; i < MANY; i++)
		printf("%s", bytes[i]);
	return 0;
}
