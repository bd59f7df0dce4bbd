#pragma once

#include "providers/answer_id.hpp"
#include "providers/rest_settings.hpp"
#include "providers/writer.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// The generic REST writer: everything it does is configuration, prepared once. Safe to use from several
/// threads.
class rest_writer final : public writer {
public:
  explicit rest_writer(rest_settings settings);

  [[nodiscard]] const writer_traits& traits() const noexcept override { return traits_; }
  [[nodiscard]] bool supports(core::operation op) const noexcept override;
  [[nodiscard]] bool repeatable(core::operation op) const noexcept override;
  [[nodiscard]] bool uses_anchor(core::operation op) const noexcept override;

  [[nodiscard]] std::string render_body(const write_order& order, std::string projection) const override;

  /// The address is empty when the operation is not supported or an id would change the path (see
  /// url_template); such a call cannot be made and fails before it connects.
  [[nodiscard]] core::http_request build(const write_order& order, std::string body,
                                         std::string_view token) const override;

  [[nodiscard]] core::outcome read(const write_order& order, const core::http_answer& answer) const override;

  [[nodiscard]] std::optional<core::http_request> token_request() const override;
  [[nodiscard]] std::expected<access_token, core::outcome>
  read_token(const core::http_answer& answer) const override;

private:
  struct prepared_operation {
    explicit prepared_operation(operation_settings from);
    operation_settings settings;
    bool uses_anchor; ///< in its path or body
    std::shared_ptr<const core::header_lines> common_headers;
    std::optional<id_reader> id;         ///< create
    std::optional<match_reader> matches; ///< lookup
  };

  [[nodiscard]] const std::optional<prepared_operation>& of(core::operation op) const noexcept {
    return operations_[static_cast<std::size_t>(op)];
  }
  void prepare(core::operation op, operation_settings from);
  [[nodiscard]] core::outcome read_success(const write_order& order, const answer_context& context,
                                           const core::http_answer& answer) const;

  rest_settings settings_;
  writer_traits traits_;
  std::vector<std::string> secrets_;
  std::string idempotency_prefix_; ///< "Idempotency-Key: "
  std::array<std::optional<prepared_operation>, 6> operations_;
};

} // namespace sluice::providers
