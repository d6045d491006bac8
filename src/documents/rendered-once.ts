const rendered = new WeakMap<object, Map<string, unknown>>()
const maxPerSource = 16

/**
 * What `render` makes of the operations and these facts, which alone must decide it. Rendering all documents takes a fifth of a
 * second: a process with many gateways, such as a test or the simulation, renders each of them once.
 */
export function renderedOnce<T>(operations: object, facts: unknown, render: () => T): T {
  const known = rendered.get(operations) ?? new Map<string, unknown>()
  rendered.set(operations, known)
  const key = JSON.stringify(facts)
  if (known.has(key)) return known.get(key) as T
  const made = render()
  if (known.size < maxPerSource) known.set(key, made)
  return made
}
