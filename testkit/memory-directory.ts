import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'gateway-tests-'
const neededBytes = 2 * 1024 ** 3

/**
 * The directory for the databases of a run and the temporary files of its tests: in memory where there is room, since files on
 * a disk cost four times the processor time, and every commit waits for it.
 */
export const runDirectory = join(hasRoom() ? memory : tmpdir(), `${prefix}${process.pid}`)

export function createRunDirectory(): void {
  removeAbandoned()
  mkdirSync(runDirectory, { recursive: true })
  // PostgreSQL has a user of its own when the tests are run by root.
  chmodSync(runDirectory, 0o755)
  process.once('exit', removeRunDirectory)
}

export const removeRunDirectory = (): void => rmSync(runDirectory, { recursive: true, force: true })

function hasRoom(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= neededBytes && process.availableMemory() >= neededBytes
}

/** Another user's directory cannot be removed. */
const isOurs = (path: string) => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()

/** What killed runs have left, which would fill the memory. */
function removeAbandoned(): void {
  for (const name of existsSync(memory) ? readdirSync(memory) : []) {
    const pid = name.startsWith(prefix) ? name.slice(prefix.length) : undefined
    const path = join(memory, name)
    if (pid && !existsSync(`/proc/${pid}`) && isOurs(path)) rmSync(path, { recursive: true, force: true })
  }
}
