#include "providers/aws_signature.hpp"
#include "tests/vectors.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

using namespace sluice;
using namespace sluice::providers;

namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

/// A request as a vector's file has it.
struct written_request {
  std::string start; ///< "GET /path?query"
  std::string method, path, query;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string head; ///< the lines of the headers as they stand
  std::string body;
};

written_request read_request(const std::string& text) {
  written_request made;
  const auto first = text.find('\n');
  made.start = text.substr(0, text.rfind(" HTTP/1.1", first));
  const auto space = made.start.find(' ');
  made.method = made.start.substr(0, space);
  const auto target = made.start.substr(space + 1);
  const auto mark = std::min(target.find('?'), target.size());
  made.path = target.substr(0, mark);
  made.query = target.substr(std::min(mark + 1, target.size()));
  const auto blank = std::min(text.find("\n\n", first), text.size());
  made.body = text.substr(std::min(blank + 2, text.size()));
  made.head = text.substr(first + 1, blank - first - 1);
  std::stringstream lines{made.head};
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (line.starts_with(' ') && !made.headers.empty()) {
      made.headers.back().second += "\n" + line;
    } else if (colon != std::string::npos) {
      made.headers.emplace_back(line.substr(0, colon), line.substr(colon + 1));
    }
  }
  return made;
}

struct vector_case {
  written_request request;
  aws_credentials credentials;
  std::string region, service;
  aws_signing signing;
  std::chrono::seconds lifetime{};

  explicit vector_case(const fs::path& folder)
      : request{read_request(tests::text_of(folder / "request.txt"))} {
    const auto context = json::parse(tests::text_of(folder / "context.json"));
    const auto& secrets = context.at("credentials");
    credentials = {secrets.at("access_key_id"), secrets.at("secret_access_key"),
                   secrets.value("token", std::string{})};
    region = context.at("region");
    service = context.at("service");
    signing = {.region = region,
               .service = service,
               .at = core::parse_rfc3339(context.at("timestamp").get<std::string>()).value(),
               .normalize_path = context.at("normalize"),
               .sign_token = !context.value("omit_session_token", false),
               .name_body = context.at("sign_body")};
    lifetime = std::chrono::seconds{context.at("expiration_in_seconds").get<int>()};
  }

  [[nodiscard]] aws_request to_sign() const {
    return {request.method, request.path, request.query, request.headers, request.body};
  }
};

/// A header's line with its name in lower case and no space behind the colon.
std::string plain_line(std::string line) {
  const auto colon = line.find(':');
  std::transform(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), line.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (line.substr(colon + 1, 1) == " ") {
    line.erase(colon + 1, 1);
  }
  return line;
}

std::vector<std::string> folders_of(const fs::path& root) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator{root}) {
    if (entry.is_directory()) {
      names.push_back(entry.path().filename());
    }
  }
  std::ranges::sort(names);
  return names;
}

void check_headers(const fs::path& folder) {
  const vector_case given{folder};
  const auto made = sign_in_headers(given.to_sign(), given.credentials, given.signing);
  CHECK(made.signature.canonical_request == tests::text_of(folder / "header-canonical-request.txt"));
  CHECK(made.signature.string_to_sign == tests::text_of(folder / "header-string-to-sign.txt"));
  CHECK(made.signature.value == tests::text_of(folder / "header-signature.txt"));
  const auto expected = read_request(tests::text_of(folder / "header-signed-request.txt"));
  std::vector<std::string> wanted;
  for (const auto& [name, value] : expected.headers) {
    if (std::ranges::find(given.request.headers, std::pair{name, value}) == given.request.headers.end()) {
      wanted.push_back(plain_line(name + ":" + value));
    }
  }
  std::vector<std::string> lines;
  std::ranges::transform(made.lines, std::back_inserter(lines), plain_line);
  CHECK(lines == wanted);
}

void check_query(const fs::path& folder) {
  const vector_case given{folder};
  const auto made = sign_in_query(given.to_sign(), given.credentials, given.signing, given.lifetime);
  CHECK(made.signature.canonical_request == tests::text_of(folder / "query-canonical-request.txt"));
  CHECK(made.signature.string_to_sign == tests::text_of(folder / "query-string-to-sign.txt"));
  CHECK(made.signature.value == tests::text_of(folder / "query-signature.txt"));
  const auto expected = read_request(tests::text_of(folder / "query-signed-request.txt"));
  CHECK(given.request.method + " " + given.request.path + "?" + made.query == expected.start);
}

} // namespace

TEST_CASE("every published case of signature version 4 comes out the same, in headers and in the query") {
  const auto root = tests::vectors("sigv4");
  if (!root) {
    WARN("skipped: the vectors of signature version 4 are not on this machine");
    return;
  }
  const auto names = folders_of(*root);
  REQUIRE(names.size() >= 38);
  for (const auto& name : names) {
    CAPTURE(name);
    check_headers(*root / name);
    check_query(*root / name);
  }
  std::cout << "sigv4: " << names.size() << " cases in headers, " << names.size() << " in the query\n";
}

TEST_CASE("a path that was encoded when it was sent is encoded once more for its signature") {
  const aws_credentials me{"AKIDEXAMPLE", "secret", {}};
  const auto made = sign_in_headers({"GET", "/a%20b/c", "x=1%2F2&x=%31", {{"host", "h"}}, {}}, me,
                                    {.region = "eu-west-1", .service = "ses"});
  CHECK(made.signature.canonical_request.starts_with("GET\n/a%2520b/c\nx=1&x=1%2F2\nhost:h\n"));
}

TEST_CASE("a signature changes with every part of what it signs") {
  const aws_credentials me{"AKIDEXAMPLE", "secret", "token"};
  const aws_signing here{.region = "eu-west-1", .service = "ses"};
  const aws_request base{"POST", "/v2", "", {{"host", "h"}}, "body"};
  const auto value = [&](const aws_request& request, const aws_credentials& who, const aws_signing& how) {
    return sign_in_headers(request, who, how).signature.value;
  };
  const auto first = value(base, me, here);
  CHECK(value(base, me, here) == first);
  CHECK(value({"GET", "/v2", "", {{"host", "h"}}, "body"}, me, here) != first);
  CHECK(value({"POST", "/v2", "", {{"host", "i"}}, "body"}, me, here) != first);
  CHECK(value({"POST", "/v2", "", {{"host", "h"}}, "bodY"}, me, here) != first);
  CHECK(value(base, {"AKIDEXAMPLE", "other", "token"}, here) != first);
  CHECK(value(base, {"AKIDEXAMPLE", "secret", "another"}, here) != first);
  CHECK(value(base, me, {.region = "eu-west-2", .service = "ses"}) != first);
  CHECK(value(base, me, {.region = "eu-west-1", .service = "sns"}) != first);
  CHECK(value(base, me, {.region = "eu-west-1", .service = "ses", .at = core::from_us(1'000'000)}) != first);
}
