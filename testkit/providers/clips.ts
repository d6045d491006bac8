/** A box of an MP4 file: its size, its type and what is in it. */
export function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(contents.reduce((sum, { length }) => sum + length, 8))
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...contents])
}

export const ftyp = box('ftyp', Buffer.from('mp42'), Buffer.alloc(4))

/** What is in the box that says how long a clip is. */
export function mvhd(timescale: number, duration: number): Buffer {
  const body = Buffer.alloc(100)
  body.writeUInt32BE(timescale, 12)
  body.writeUInt32BE(duration, 16)
  return body
}

/** The smallest thing that counts as a clip here, with its header at the end. Clips of all lengths are equally large. */
export const clipOf = (seconds: number) =>
  Buffer.concat([ftyp, box('mdat', Buffer.alloc(4096, 7)), box('moov', box('mvhd', mvhd(100, 100 * seconds)))])
