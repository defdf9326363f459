/*
 * Facets stay in the library (c++config.h): each has a number that is the library's, and what a locale keeps of them
 * is published by means that only the library has.
 */
#pragma GCC system_header
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 1
#include_next <bits/locale_facets.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
