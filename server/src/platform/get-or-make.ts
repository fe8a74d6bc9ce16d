/** The value of a key, made when it is first asked for. */
export function getOrMake<Key, Value extends object>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = values.get(key)
  if (known) return known
  const made = make()
  values.set(key, made)
  return made
}
