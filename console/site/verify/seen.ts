/** A checkpoint that this browser has seen, and when. */
export interface SeenCheckpoint {
  readonly note: string
  readonly at: string
}

/** What `localStorage` offers of itself. */
interface DeviceStorage {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
}

const storageName = 'gateway.checkpoints'
const mostSeen = 100

/** The checkpoints that this browser has seen, the oldest first. They stay on the device; `/verify` and the console share them. */
export function readSeen(storage: DeviceStorage): SeenCheckpoint[] {
  try {
    const seen: unknown = JSON.parse(storage.getItem(storageName) ?? '[]')
    return Array.isArray(seen) ? seen.filter((one) => typeof one?.note === 'string' && typeof one?.at === 'string') : []
  } catch {
    return []
  }
}

/** Keeps a checkpoint. Of too many, the oldest stays: it covers the longest history. */
export function rememberSeen(storage: DeviceStorage, note: string, at: string): void {
  const seen = readSeen(storage)
  if (seen.some((one) => one.note === note)) return
  const [first, ...rest] = [...seen, { note, at }]
  try {
    storage.setItem(storageName, JSON.stringify([first, ...rest.slice(1 - mostSeen)]))
  } catch {
    // Storage may be blocked or full; then this visit is not kept.
  }
}

export const originIn = (note: string): string => note.split('\n')[0] ?? ''
export const sizeIn = (note: string): number => Number(note.split('\n')[1])

/** The oldest checkpoint of a log that this browser has seen. */
export const oldestOf = (storage: DeviceStorage, origin: string): string | undefined =>
  readSeen(storage).find(({ note }) => originIn(note) === origin)?.note
