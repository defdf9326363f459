// Threads that use one LevelDB database: writers with batches of their own, a reader with snapshots, and LevelDB's own
// thread that compacts.  What it prints does not depend on the schedule.  Each execution has a directory of its own, which
// it removes: others may run beside it.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

namespace {

constexpr int kWriters = 3;
constexpr int kRounds = 2;

void Must(const leveldb::Status& status, const char* what) {
  if (status.ok()) return;
  std::fprintf(stderr, "leveldb_threads: %s: %s\n", what, status.ToString().c_str());
  std::exit(1);
}

std::string Key(int writer, int i) {
  char text[32];
  std::snprintf(text, sizeof text, "%06d.%d", i, writer);
  return text;
}

std::string Value(int writer, int i, int round) { return std::string(100 + (i * 7 + writer) % 50, 'a' + (i + round) % 26); }

// A key's two halves are written by one batch: whoever sees one sees the other.
void Write(leveldb::DB* db, int writer, int keys) {
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < keys; i++) {
      leveldb::WriteBatch batch;
      std::string value = Value(writer, i, round);
      batch.Put(Key(writer, i), value);
      batch.Put(Key(writer, i) + "+", value);
      if (round > 0 && i % 3 == 0) {
        batch.Delete(Key(writer, i));
        batch.Delete(Key(writer, i) + "+");
      }
      leveldb::WriteOptions options;
      options.sync = i % 50 == 49;
      Must(db->Write(options, &batch), "write");
    }
  }
}

void Read(leveldb::DB* db, int rounds) {
  for (int round = 0; round < rounds; round++) {
    leveldb::ReadOptions options;
    options.snapshot = db->GetSnapshot();
    leveldb::Iterator* it = db->NewIterator(options);
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      std::string key = it->key().ToString(), other;
      if (key.back() == '+') continue;
      leveldb::Status status = db->Get(options, key + "+", &other);
      if (!status.ok() || other != it->value().ToString()) {
        std::printf("%s: half a batch is seen\n", key.c_str());
        std::exit(1);
      }
    }
    Must(it->status(), "iterator");
    delete it;
    db->ReleaseSnapshot(options.snapshot);
  }
}

void Tell(leveldb::DB* db, const char* when) {
  unsigned long keys = 0, sum = 0;
  leveldb::Iterator* it = db->NewIterator(leveldb::ReadOptions());
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    keys++;
    for (char c : it->key().ToString() + it->value().ToString()) sum = sum * 31 + static_cast<unsigned char>(c);
  }
  Must(it->status(), "iterator");
  delete it;
  std::printf("%s: %lu keys, %016lx\n", when, keys, sum);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int keys = std::atoi(argv[1]);
  char name[] = "threads-XXXXXX";
  if (!mkdtemp(name)) return 2;
  leveldb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.max_file_size = 1 << 20;
  const leveldb::FilterPolicy* filter = leveldb::NewBloomFilterPolicy(10);
  options.filter_policy = filter;
  leveldb::DB* db;
  Must(leveldb::DB::Open(options, name, &db), "open");
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; writer++) threads.emplace_back(Write, db, writer, keys);
  threads.emplace_back(Read, db, 4);
  for (std::thread& thread : threads) thread.join();
  Tell(db, "written");
  db->CompactRange(nullptr, nullptr);
  Tell(db, "compacted");
  delete db;
  Must(leveldb::DB::Open(options, name, &db), "open again");
  Tell(db, "opened again");
  delete db;
  Must(leveldb::DestroyDB(name, options), "destroy");
  delete filter;
}
