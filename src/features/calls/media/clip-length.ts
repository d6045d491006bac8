/** More than stand before the header of any clip; the tracks of a movie are one box each. */
const maxBoxes = 1000
/** The part of a header that says how long the clip is. */
const headerBytes = 32
/** Encoders round to whole frames: up to a tenth of the seconds may be missing. */
const leastShare = 0.9

/** True if a clip is clearly shorter than what was paid for, or does not say how long it is. */
export const isShort = (seconds: number | null, paidSeconds: number) =>
  seconds === null || seconds < paidSeconds * leastShare

/** Finds out how long an MP4 file is while it passes, wherever its header is. Never more than a few bytes are held. */
export function createClipLength() {
  const walk = walkBoxes()
  let step = walk.next()
  let held = Buffer.alloc(0)
  let seen = 0
  return {
    read(chunk: Uint8Array): void {
      for (let at = 0; at < chunk.length && !step.done; ) {
        const { bytes, isPassed } = step.value
        const part = chunk.subarray(at, at + bytes - seen)
        at += part.length
        seen += part.length
        if (!isPassed) held = Buffer.concat([held, part])
        if (seen < bytes) return
        step = walk.next(held)
        held = Buffer.alloc(0)
        seen = 0
      }
    },
    /** Null if it is not an MP4 file, or does not say how long it is. */
    seconds: (): number | null => (step.done ? step.value : null),
  }
}

/** Asks for the next bytes of the file, at least one; those that are only passed over are not handed in. */
type BytesWanted = { readonly bytes: number; readonly isPassed?: true }

/** In `moov`, `mvhd` has the time scale and the length; in a fragmented file that is 0, and `mehd` in `mvex` has it. */
function* walkBoxes(): Generator<BytesWanted, number | null, Buffer> {
  let isInMovie = false
  let timescale = 0
  for (let boxes = 0; boxes < maxBoxes; boxes += 1) {
    const head = yield { bytes: 8 }
    const size = head.readUInt32BE()
    const type = head.toString('latin1', 4)
    let left = size - 8
    if (size === 1) left = Number((yield { bytes: 8 }).readBigUInt64BE()) - 16
    // It reaches to the end of the file.
    if (size === 0) left = Number.POSITIVE_INFINITY
    if (left < 0 || (boxes === 0 && type !== 'ftyp')) return null
    isInMovie ||= type === 'moov'
    if (type === 'moov' || (type === 'mvex' && isInMovie)) continue
    if (isInMovie && (type === 'mvhd' || type === 'mehd')) {
      if (left === 0) return null
      const header = yield { bytes: Math.min(left, headerBytes) }
      left -= header.length
      const isLong = header[0] === 1
      if (type === 'mvhd') timescale = fieldAt(header, isLong ? 20 : 12, 4)
      const duration = fieldAt(header, type === 'mehd' ? 4 : isLong ? 24 : 16, isLong ? 8 : 4)
      if (timescale === 0) return null
      if (duration > 0) return duration / timescale
    }
    if (left > 0) yield { bytes: left, isPassed: true }
  }
  return null
}

/** 0 if the header is too small for it, or it is all ones: that stands for "unknown". */
function fieldAt(header: Buffer, at: number, bytes: 4 | 8): number {
  if (header.length < at + bytes) return 0
  const value = bytes === 4 ? header.readUInt32BE(at) : Number(header.readBigUInt64BE(at))
  return value < 2 ** (8 * bytes) - 1 ? value : 0
}
