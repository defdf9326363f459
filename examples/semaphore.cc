#include <semaphore>
#include <thread>
#include <vector>
#include <cstdio>
std::binary_semaphore s{1}; int inside;
int main(){ std::vector<std::thread> v; for(int i=0;i<6;i++) v.emplace_back([]{ for(int k=0;k<3;k++){ s.acquire(); inside++; inside--; s.release(); } }); for(auto&t:v) t.join(); }
