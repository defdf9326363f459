/*
 * This header comes before libstdc++'s own, which says that the strings and streams of char are in the library
 * (_GLIBCXX_EXTERN_TEMPLATE). With 0 they are compiled into the program, where the pass sees their accesses.
 *
 * It replaces a header of libstdc++ by name. A header included before everything else would not see the macros that the
 * program defines before its first #include. Strings that count references (the old ABI) stay in the library, as they
 * share one empty string with it.
 */
#pragma GCC system_header
#if __has_include_next(<bits/c++config.h>)
#include_next <bits/c++config.h>
#if _GLIBCXX_USE_CXX11_ABI
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#endif
