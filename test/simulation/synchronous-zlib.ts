import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

/**
 * Compresses at once. A thread would take real time of which the world knows nothing, and the order of events would depend on it.
 * Imported first, before the sources bind the function.
 */
const gzip = (data: zlib.InputType, callback: zlib.CompressCallback): void =>
  queueMicrotask(() => callback(null, zlib.gzipSync(data)))

Object.assign(zlib, { gzip })
syncBuiltinESMExports()
