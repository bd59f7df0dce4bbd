#include "app/callback_delivery.hpp"

#include "api/url_text.hpp"
#include "app/mailbox.hpp"
#include "app/node_client.hpp"
#include "app/output.hpp"
#include "app/subscription_lookup.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace sluice::app {
namespace {

/// The node, and where this profile's reports go to.
struct report_address {
  node_client node;
  std::string path;

  [[nodiscard]] static std::optional<report_address> of(const command_context& context,
                                                        const callback_delivery_options& options) {
    auto node = node_client::of(context);
    if (!node) {
      return std::nullopt;
    }
    const auto id =
        id_of(*node, {"profile", "/v1/profiles", "profiles", "profiles", options.tenant}, options.profile);
    if (!id) {
      return std::nullopt;
    }
    return report_address{std::move(*node), "/v1/profiles/" + api::percent_encode(*id) + "/reports"};
  }
};

/// What became of one mail: an exit code, and why it can never be read.
struct handed_on {
  int code = exit_ok;
  std::string why{};
};

handed_on hand_on(const report_address& to, std::string mail) {
  if (mail.empty()) {
    return {exit_never_read, "the mail is empty"};
  }
  const auto answer = to.node.post_mail(to.path, std::move(mail));
  if (!answer) {
    return {exit_come_again};
  }
  return answer->contains("recorded") ? handed_on{} : handed_on{exit_never_read, cell(*answer, "detail")};
}

std::size_t bytes_max(const command_context& context) {
  return static_cast<std::size_t>(context.settings.callbacks.body_bytes_max);
}

struct tally {
  std::int64_t mails = 0;
  std::int64_t recorded = 0;
  std::int64_t unread = 0;
};

int print_tally(const command_context& context, const tally& all, int code) {
  if (context.style.json) {
    print_json({{"mails", all.mails}, {"recorded", all.recorded}, {"unread", all.unread}});
  } else {
    print_line(grouped(all.recorded) + " of " + grouped(all.mails) + " mails are recorded, "
               + grouped(all.unread) + " are no reports of this profile's messages");
  }
  return code == exit_ok && all.unread > 0 ? exit_never_read : code;
}

int deliver_all(const command_context& context, const report_address& to, mailbox& box) {
  tally all;
  while (true) {
    auto mail = box.next();
    if (!mail) {
      print_error("the mailbox cannot be read", mail.error(), "name a file in the form mboxrd");
      return print_tally(context, all, exit_never_read);
    }
    if (!*mail) {
      return print_tally(context, all, exit_ok);
    }
    ++all.mails;
    const auto done = hand_on(to, std::move(**mail));
    if (done.code == exit_come_again) {
      print_note("mail " + grouped(all.mails) + " and those behind it are not recorded: run this again");
      return print_tally(context, all, exit_come_again);
    }
    ++(done.code == exit_ok ? all.recorded : all.unread);
    if (done.code == exit_never_read) {
      print_note("mail " + grouped(all.mails) + " is passed over: " + done.why);
    }
  }
}

} // namespace

int deliver_callback(const command_context& context, const callback_delivery_options& options,
                     byte_source& mail) {
  auto text = read_mail(mail, bytes_max(context));
  const auto to = report_address::of(context, options);
  if (!to) {
    return exit_come_again;
  }
  const auto done = hand_on(*to, std::move(text));
  if (done.code == exit_never_read) {
    print_error("the mail is not recorded", done.why, "");
  }
  return done.code;
}

int deliver_callbacks(const command_context& context, const callback_delivery_options& options) {
  const auto& from = options.mailbox.empty() ? std::string{"-"} : options.mailbox;
  auto source = file_source::open(from);
  if (!source) {
    print_error("nothing is recorded", source.error(), "");
    return exit_come_again;
  }
  if (options.mailbox.empty()) {
    return deliver_callback(context, options, *source);
  }
  const auto to = report_address::of(context, options);
  if (!to) {
    return exit_come_again;
  }
  mailbox box{*source, bytes_max(context)};
  const auto code = deliver_all(context, *to, box);
  return source->failed() ? exit_come_again : code;
}

} // namespace sluice::app
