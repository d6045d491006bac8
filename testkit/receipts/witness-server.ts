import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openNote, rootsByProof } from './rfc-tree.ts'

/** What a witness answers instead of a cosignature. */
export type Lie = 'silence' | 'other key' | 'long' | 404

/** A C2SP witness, written from tlog-witness and tlog-cosignature alone: it trusts one key, and keeps one checkpoint. */
export async function startWitness(name: string, trusted: () => Promise<string>) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
  const keyId = (type: number) =>
    createHash('sha256')
      .update(Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([type]), raw]))
      .digest()
      .subarray(0, 4)
  const vkey = `${name}+${keyId(4).toString('hex')}+${Buffer.concat([Buffer.from([4]), raw]).toString('base64')}`
  let seen: { size: number; root: Buffer } = { size: 0, root: Buffer.alloc(0) }
  let lie: Lie | null = null
  const requests: { old: number; status: number }[] = []

  function cosign(text: string, key = privateKey): string {
    const time = BigInt(Math.floor(Date.now() / 1000))
    const stamp = Buffer.alloc(8)
    stamp.writeBigUInt64BE(time)
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), key)
    return `— ${name} ${Buffer.concat([keyId(4), stamp, signature]).toString('base64')}\n`
  }

  async function respond(body: string): Promise<[number, string]> {
    const end = body.indexOf('\n\n')
    const [first = '', ...proof] = body.slice(0, end).split('\n')
    const note = body.slice(end + 2)
    const old = Number(/^old (\d+)$/.exec(first)![1])
    const text = `${note.slice(0, note.indexOf('\n\n'))}\n`
    const { size, root } = openNote(note, await trusted())
    requests.push({ old, status: 0 })
    if (old > size) return [400, '']
    if (old !== seen.size) return [409, `${seen.size}\n`]
    if (old === size && old > 0 && !root.equals(seen.root)) return [409, '']
    if (old > 0 && old < size) {
      const hashes = proof.map((line) => Buffer.from(line, 'base64'))
      const [was, is] = rootsByProof(seen.root, old, size, hashes)
      if (!was.equals(seen.root) || !is.equals(root)) return [422, '']
    } else if (proof.length > 0) return [422, '']
    seen = { size, root }
    const stranger = createPrivateKey(
      generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }),
    )
    return [200, `${cosign(text, stranger)}${lie === 'other key' ? '' : cosign(text)}`]
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      if (lie === 'silence') return request.socket.destroy()
      if (request.url !== '/w/add-checkpoint' || request.method !== 'POST' || lie === 404) {
        response.writeHead(404).end()
        return
      }
      if (lie === 'long') return void response.writeHead(200).end('— x y\n'.repeat(10_000))
      const [status, text] = await respond(Buffer.concat(chunks).toString())
      requests.at(-1)!.status = status
      response.writeHead(status, { 'content-type': status === 409 ? 'text/x.tlog.size' : 'text/plain' }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    settings: { name, vkey, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w/` },
    requests,
    seen: () => seen,
    /** As if it had cosigned this before. */
    remember: (size: number, root: Buffer) => {
      seen = { size, root }
    },
    lieAs: (next: Lie | null) => {
      lie = next
    },
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
