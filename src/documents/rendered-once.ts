import { createHash } from 'node:crypto'

const rendered = new Map<string, unknown>()
const maxRendered = 64

/**
 * What `render` makes of these parts, which must decide it alone. Rendering all documents takes a fifth of a second: a process
 * with many gateways, such as a test or the simulation, renders each of them once.
 */
export function renderedOnce<T>(name: string, parts: unknown, render: () => T): T {
  const key = `${name} ${createHash('sha256').update(JSON.stringify(parts)).digest('base64')}`
  if (rendered.has(key)) return rendered.get(key) as T
  const made = render()
  if (rendered.size === maxRendered) rendered.delete(rendered.keys().next().value as string)
  rendered.set(key, made)
  return made
}
