import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { devNull } from 'node:os'

/** Enough for a burst of clients, provider calls and store files. */
const spare = 16

/** Rejects when so few file descriptors are left that new connections would fail. */
export async function checkDescriptors(): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: spare }, () => open(devNull)))
  const handles = opened.flatMap((result): FileHandle[] => (result.status === 'fulfilled' ? [result.value] : []))
  await Promise.all(handles.map((handle) => handle.close()))
  if (handles.length < spare) throw new Error(`only ${handles.length} file descriptors are left`)
}

/** Three quarters of the descriptor limit; the rest is for the store, providers and files. */
export function connectionLimit(): number {
  const limit = descriptorLimit()
  return limit === null ? Number.POSITIVE_INFINITY : Math.floor(limit * 0.75)
}

/** Null if the system does not report it. */
function descriptorLimit(): number | null {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}
