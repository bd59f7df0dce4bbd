#include "providers/curl_options.hpp"

#include <curl/curl.h>

#include <memory>

namespace sluice::providers {

void set_shared_options(void* easy, const transport_settings& settings) {
  using std::chrono::ceil;
  using std::chrono::milliseconds;
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROXY, settings.proxy.c_str());
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!settings.ca_file.empty())
    curl_easy_setopt(easy, CURLOPT_CAINFO, settings.ca_file.c_str());
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(ceil<milliseconds>(settings.connect_timeout).count()));
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS,
                   static_cast<long>(ceil<milliseconds>(settings.call_timeout).count()));
  // A resolver thread that hangs must not hold up the other transfers when its own is given up.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
}

bool refused_behind_proxy(const dial_guard& guard, const std::string& url) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parsed{curl_url(), &curl_url_cleanup};
  char* host = nullptr;
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK
      || curl_url_get(parsed.get(), CURLUPART_HOST, &host, 0) != CURLUE_OK)
    return false; // libcurl will say what is wrong with it
  const bool refused = guard.refuse_literal(host).has_value();
  curl_free(host);
  return refused;
}

} // namespace sluice::providers
