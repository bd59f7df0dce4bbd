#include "app/output.hpp"
#include "app/progress.hpp"

#include <catch2/catch.hpp>

namespace sluice::app {
namespace {

TEST_CASE("a table aligns its columns by characters, numbers to the right") {
  text_table table{{"name", "records"}, {1}};
  table.add({"Zoë", "1,000"});
  table.add({"customers", "7"});
  CHECK(table.text({}) == "name       records\nZoë          1,000\ncustomers        7\n");
}

TEST_CASE("colours appear only where they were asked for") {
  const text_table table{{"a"}};
  CHECK(table.text({.json = false, .colour = true}) == "\033[1ma\033[0m\n");
  CHECK(table.text({}) == "a\n");
}

TEST_CASE("text from outside cannot steer the terminal") {
  CHECK(printable("a\033[31mb\n\x7F") == "a?[31mb??");
  text_table table{{"a"}};
  table.add({"\033]0;x\a"});
  CHECK(table.text({}).find('\033') == std::string::npos);
}

TEST_CASE("numbers for people have their thousands apart") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(grouped(-123) == "-123");
}

TEST_CASE("a progress bar shows a share and never runs over") {
  CHECK(progress::bar("import", 0, 10).ends_with("]   0 %"));
  CHECK(progress::bar("import", 5, 10)
        == "import [" + std::string(20, '=') + std::string(20, ' ') + "]  50 %");
  CHECK(progress::bar("import", 20, 10).ends_with("] 100 %"));
  CHECK(progress::bar("import", 12345, 0) == "import: 12,345");
}

} // namespace
} // namespace sluice::app
