import { readFileSync } from 'node:fs'

/** Three quarters of the descriptors that the process may open; the rest is for the store, providers and files. */
export function connectionLimit(): number {
  const limit = openFilesLimit()
  return limit === null ? Number.POSITIVE_INFINITY : Math.floor(limit * 0.75)
}

/** Null where the system does not say. */
function openFilesLimit(): number | null {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}
