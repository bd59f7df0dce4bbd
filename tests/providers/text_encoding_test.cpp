#include "providers/text_encoding.hpp"

#include <catch2/catch.hpp>

using namespace sluice::providers;

TEST_CASE("a form is read with its repeated, empty and encoded fields in their order") {
  CHECK(parse_form("b=2&a=%2B1+2&a=&a&&=x&c=O%27Neil=%zz&%C3%A4=%00")
        == form_fields{{"b", "2"},
                       {"a", "+1 2"},
                       {"a", ""},
                       {"a", ""},
                       {"", "x"},
                       {"c", "O'Neil=%zz"},
                       {"\xc3\xa4", std::string(1, '\0')}});
  CHECK(parse_form("").empty());
  CHECK(parse_form("&&").empty());
}

TEST_CASE("a form that was written is read back byte for byte") {
  form_fields fields;
  for (int byte = 0; byte < 256; ++byte)
    fields.emplace_back("n" + std::string(1, static_cast<char>(byte)),
                        std::string(2, static_cast<char>(byte)));
  std::string form;
  for (const auto& [name, value] : fields)
    append_form_field(form, name, value);
  CHECK(form.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz%+&=-._")
        == std::string::npos);
  CHECK(parse_form(form) == fields);
}
