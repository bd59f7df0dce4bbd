// The compiled part of Boost.JSON, once in the program: there is no library of it to link.
#include <boost/json/src.hpp>
