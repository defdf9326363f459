/* The library that dlopen.c loads: large enough that its thread-local block cannot come from the static surplus. */
static __thread int counter = 100;
static __thread char block[20000];

int next(void)
{
	block[counter]++;
	return ++counter;
}
