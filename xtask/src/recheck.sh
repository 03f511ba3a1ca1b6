#!/bin/sh
# Checks a tape against docs/FORMAT.md with jq and sha256sum alone, and nothing of memtape's.
#
#     sh recheck.sh [archive/tape-1-9.jsonl ...] tape.jsonl
#
# Give the closed segments first, in order. A line that is not as the document says ends the check.
set -eu

# Prints eleven lines: id, kind, branch, date, more, salt, the digest an erased line states (one of the two is empty),
# prev, hash, and the literal text of payload and meta.
# The literal text is what the hash covers, so it is cut out of the line and never printed from a parsed value.
# shellcheck disable=SC2016
fields='
    . as $line
    | fromjson as $entry
    | ($entry | "{\"id\":\(.id),\"kind\":\(.kind | tojson),\"payload\":") as $head
    | ($entry | ",\"branch\":\(.branch | tojson),\"date\":\(.date | tojson),\"more\":\(.more)"
        + (if .erased then ",\"erased\":\(.erased | tojson)" else ",\"salt\":\(.salt | tojson)" end)
        + ",\"prev\":\(.prev | tojson),\"hash\":\(.hash | tojson)}") as $tail
    | if ($line | startswith($head) and endswith($tail)) then . else error("not in the one spelling") end
    | $line | ltrimstr($head) | rtrimstr($tail) | split(",\"meta\":") as $parts
    # That text may stand inside the payload or the meta too: one place only leaves an object on both sides.
    | [range(1; $parts | length)
        | [($parts[:.] | join(",\"meta\":")), ($parts[.:] | join(",\"meta\":"))]
        | select(all(.[]; startswith("{") and (try (fromjson | type == "object") catch false)))]
    | if length == 1 then .[0] else error("payload and meta are not two objects") end
    | if $entry.id == ($id | tonumber) then . else error("id \($entry.id) in place of \($id)") end
    | if $entry.date | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}[+]00:00$")
        then . else error("date \($entry.date)") end
    | if $entry.date >= $date then . else error("the date falls") end
    | if $entry.erased // ($entry.salt | . + .) | test("^[0-9a-f]{64}$")
        then . else error("salt \($entry.salt) or digest \($entry.erased)") end
    | $entry.id, $entry.kind, $entry.branch, $entry.date, $entry.more, ($entry.salt // ""), ($entry.erased // ""),
      $entry.prev, $entry.hash, .[]
'

hash_of() {
    sha256sum | cut -c 1-64
}

fail() {
    echo "$file: line $line_number: $*" >&2
    exit 1
}

hash=0000000000000000000000000000000000000000000000000000000000000000
id=0
date=
for file in "$@"; do
    line_number=0
    more=0
    while IFS= read -r line; do
        line_number=$((line_number + 1))
        last=$hash
        expected_more=$((more - 1))
        found=$(printf '%s\n' "$line" | jq -R -r --arg id $((id + 1)) --arg date "$date" "$fields") ||
            fail "not a line of a tape"
        {
            IFS= read -r id
            IFS= read -r kind
            IFS= read -r branch
            IFS= read -r date
            IFS= read -r more
            IFS= read -r salt
            IFS= read -r digest
            IFS= read -r prev
            IFS= read -r hash
            IFS= read -r payload
            IFS= read -r meta
        } <<END
$found
END
        [ "$expected_more" -lt 0 ] || [ "$more" -eq "$expected_more" ] || fail "more $more in place of $expected_more"
        [ -n "$digest" ] || digest=$(printf '%s%s\n%s' "$salt" "$payload" "$meta" | hash_of)
        computed=$(printf '%s\n%s\n%s\n%s\n%s\n%s\n%s' \
            "$prev" "$id" "$kind" "$branch" "$date" "$more" "$digest" | hash_of)
        [ "$computed" = "$hash" ] || fail "its hash is $computed, not $hash"
        [ "$prev" = "$last" ] || fail "it was written after $prev, not $last"
    done <"$file"
    [ -z "$(tail -c 1 "$file")" ] || fail "the last line has no end"
    [ "$more" -eq 0 ] || fail "the group lacks $more entries"
done
echo "$id"
