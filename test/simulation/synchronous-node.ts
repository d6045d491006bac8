import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Transform } from 'node:stream'
import zlib from 'node:zlib'

/**
 * Does at once what Node leaves to its threads: files and compression. A thread would take real time of which the world knows nothing,
 * and the order of events would depend on it. Imported first, before the sources bind the functions.
 */

type Work = (...values: never[]) => unknown

/** As a promise: a fault rejects. */
const promised =
  (work: Work) =>
  async (...values: never[]): Promise<unknown> =>
    work(...values)

/** With a callback, which is never called before the function has returned. */
const calledBack =
  (work: Work) =>
  (...values: never[]): void => {
    const callback = values.pop() as unknown as (error: unknown, result?: unknown) => void
    try {
      // Those who read or write get their buffer back.
      process.nextTick(callback, null, work(...values), values[1])
    } catch (error) {
      process.nextTick(callback, error)
    }
  }

/** As many of the methods of a FileHandle as the sources use. */
class SyncFile {
  readonly fd: number

  constructor(fd: number) {
    this.fd = fd
  }

  async read(buffer: NodeJS.ArrayBufferView, offset = 0, length?: number, position?: number | null) {
    const bytesRead = fs.readSync(this.fd, buffer, offset, length ?? buffer.byteLength - offset, position ?? null)
    return { bytesRead, buffer }
  }
  async write(data: Uint8Array, offset = 0, length?: number, position?: number | null) {
    const bytesWritten = fs.writeSync(this.fd, data, offset, length ?? data.byteLength - offset, position ?? null)
    return { bytesWritten, buffer: data }
  }
  async readFile(encoding?: BufferEncoding) {
    const bytes = fs.readFileSync(this.fd)
    return encoding === undefined ? bytes : bytes.toString(encoding)
  }
  async writeFile(data: string | Uint8Array) {
    fs.writeFileSync(this.fd, data)
  }
  async appendFile(data: string | Uint8Array) {
    fs.appendFileSync(this.fd, data)
  }
  async truncate(length?: number) {
    fs.ftruncateSync(this.fd, length)
  }
  async stat() {
    return fs.fstatSync(this.fd)
  }
  // The machine of a world never loses its power.
  async sync() {}
  async datasync() {}
  async close() {
    fs.closeSync(this.fd)
  }
  async [Symbol.asyncDispose]() {
    await this.close()
  }
}

const { promises } = fs
const open = (path: fs.PathLike, flags: fs.OpenMode = 'r', mode?: fs.Mode) =>
  new SyncFile(fs.openSync(path, flags, mode))

const opendir = (path: fs.PathLike) => fs.readdirSync(path, { withFileTypes: true })

const names = ['access', 'appendFile', 'chmod', 'link', 'lstat', 'mkdir', 'mkdtemp', 'readFile', 'readdir', 'realpath']
names.push('rename', 'rm', 'rmdir', 'stat', 'statfs', 'truncate', 'unlink', 'utimes', 'writeFile')
const work = (name: string) => (fs as unknown as Record<string, Work>)[`${name}Sync`]!
const named = Object.fromEntries(names.map((name) => [name, promised(work(name))]))
Object.assign(promises, named, { open: promised(open), opendir: promised(opendir) })

/** Of these, streams are made. */
const ofStreams = ['open', 'read', 'write', 'writev', 'close']
Object.assign(fs, Object.fromEntries(ofStreams.map((name) => [name, calledBack(work(name))])))

const createGunzip = () => {
  const parts: Buffer[] = []
  return new Transform({
    transform(part, _, next) {
      parts.push(part)
      next()
    },
    flush(next) {
      try {
        next(null, zlib.gunzipSync(Buffer.concat(parts)))
      } catch (error) {
        next(error as Error)
      }
    },
  })
}
const { gzipSync, gunzipSync } = zlib
Object.assign(zlib, { gzip: calledBack(gzipSync), gunzip: calledBack(gunzipSync) })
Object.defineProperty(zlib, 'createGunzip', { value: createGunzip })
syncBuiltinESMExports()
