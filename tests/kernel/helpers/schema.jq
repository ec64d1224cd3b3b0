# SPDX-License-Identifier: GPL-2.0-only
# jq -r --slurpfile schema FILE --arg verb VERB -f schema.jq: prints what of each object does not fit the definition verb-VERB. It
# knows what conf/rxadm.schema.json uses, and cli/schema.bats compares it with a library that knows all.
def kinds: if type == "number" and floor == . then ["number", "integer"] else [type] end;

def errors($defs; $s; $at):
	. as $v
	| if $s | has("$ref") then errors($defs; $defs[$s["$ref"] | ltrimstr("#/$defs/")]; $at) else empty end,
	if ($s | has("type")) and ([$s.type] | flatten) - ($v | kinds) == ([$s.type] | flatten)
	then "\($at): \(tojson) is no \($s.type | tojson)" else empty end,
	if ($s | has("const")) and $s.const != $v then "\($at): \(tojson) is not \($s.const | tojson)" else empty end,
	if ($s | has("enum")) and ($s.enum | index([$v]) | not) then "\($at): \(tojson) is none of \($s.enum | tojson)" else empty end,
	if ($s | has("anyOf")) and all($s.anyOf[]; [. as $one | $v | errors($defs; $one; $at)] | length > 0)
	then ([$s.anyOf[] as $one | [errors($defs; $one; $at)]] | min_by(length)[0]) else empty end,
	if type == "number" then
		if ($s | has("minimum")) and . < $s.minimum then "\($at): \(.) is below \($s.minimum)" else empty end,
		if ($s | has("maximum")) and . > $s.maximum then "\($at): \(.) is above \($s.maximum)" else empty end
	elif type == "string" then
		if ($s | has("pattern")) and (test($s.pattern) | not) then "\($at): \(tojson) does not match \($s.pattern)" else empty end
	elif type == "array" then
		if ($s | has("minItems")) and length < $s.minItems then "\($at): \(length) items" else empty end,
		if $s | has("items") then range(length) as $i | .[$i] | errors($defs; $s.items; "\($at).\($i)") else empty end
	elif type == "object" then
		if ($s | has("minProperties")) and length < $s.minProperties then "\($at): \(length) keys" else empty end,
		(($s.required // [])[] as $key | select(has($key) | not) | "\($at): \($key) is missing"),
		(keys[] as $key
		 | if $s.properties | has($key)? then .[$key] | errors($defs; $s.properties[$key]; "\($at).\($key)")
		   elif $s.additionalProperties == false then "\($at): \($key) is not in the schema"
		   else empty end)
	else empty end;

errors($schema[0]["$defs"]; $schema[0]["$defs"]["verb-" + $verb]; $verb)
