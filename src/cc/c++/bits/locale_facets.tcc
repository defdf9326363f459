/*
 * Facets stay in libstdc++ (c++config.h): each has a number that the library gives, and only the library can publish
 * what a locale caches of them.
 */
#pragma GCC system_header
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 1
#include_next <bits/locale_facets.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
