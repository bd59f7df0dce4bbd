#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// The foreign key's own trigger looked the rule up once a row, a third of what writing the row cost. These
// look once a statement and lock what they find as it did; the other direction is the guard of the rules.
constexpr std::string_view postgresql_ledger_rules = R"(
ALTER TABLE outbound_deliveries DROP CONSTRAINT outbound_deliveries_rule_id_fkey;
CREATE FUNCTION outbound_deliveries_need_their_rule() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  named BIGINT;
BEGIN
  FOR named IN SELECT DISTINCT rule_id FROM written LOOP
    PERFORM 1 FROM sync_rules WHERE id = named FOR KEY SHARE;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = 'outbound_deliveries refers to a rule that does not exist';
    END IF;
  END LOOP;
  RETURN NULL;
END
$body$;
CREATE FUNCTION sync_rules_keep_their_ledger() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF EXISTS (SELECT 1 FROM outbound_deliveries WHERE rule_id = OLD.id) THEN
    RAISE foreign_key_violation USING MESSAGE = 'the rule still holds delivery state in outbound_deliveries';
  END IF;
  RETURN NULL;
END
$body$;
CREATE TRIGGER outbound_deliveries_inserted AFTER INSERT ON outbound_deliveries
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION outbound_deliveries_need_their_rule();
CREATE TRIGGER sync_rules_deleted AFTER DELETE ON sync_rules
  FOR EACH ROW EXECUTE FUNCTION sync_rules_keep_their_ledger();
CREATE FUNCTION rule_ids_stand() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  RAISE foreign_key_violation USING MESSAGE = 'a rule keeps its id';
END
$body$;
CREATE TRIGGER sync_rules_renumbered BEFORE UPDATE OF id ON sync_rules
  FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION rule_ids_stand();
CREATE TRIGGER outbound_deliveries_moved BEFORE UPDATE OF rule_id ON outbound_deliveries
  FOR EACH ROW WHEN (NEW.rule_id <> OLD.rule_id) EXECUTE FUNCTION rule_ids_stand();
)";

} // namespace

const migration ledger_rules{2, "the ledger's foreign key by the statement", {}, {}, postgresql_ledger_rules};

} // namespace sluice::storage
