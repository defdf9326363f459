/*
 * In front of libstdc++'s own, which says that strings and streams of char are to be found in the library
 * (_GLIBCXX_EXTERN_TEMPLATE): with 0 they are compiled into the program, where their accesses are seen.
 *
 * A header of the same name, and not one that comes before everything: what the program defines before its first
 * #include is still defined before it.  Strings that count references (the old ABI) share one empty string with the
 * library, which must stay its own.
 */
#pragma GCC system_header
#if __has_include_next(<bits/c++config.h>)
#include_next <bits/c++config.h>
#if _GLIBCXX_USE_CXX11_ABI
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#endif
