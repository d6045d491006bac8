import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readCheckpoint } from '../../../src/features/records/transparency/note.ts'
import { rootsByProof } from '../../../testkit/receipts/rfc-tree.ts'
import type { Reply, Server } from '../network.ts'
import type { Plan } from '../plan.ts'
import type { Truth } from '../upstreams.ts'
import type { World } from '../world.ts'

export const witnessOrigin = 'https://witness.example'
const name = 'witness.example/w'

const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
})
const publicKey = Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x!, 'base64url')
const typed = Buffer.concat([Buffer.of(4), publicKey])
const keyId = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)

export const witnessSettings = {
  name: 'witness',
  vkey: `${name}+${keyId.toString('hex')}+${typed.toString('base64')}`,
  url: `${witnessOrigin}/w/`,
} as const

interface Tree {
  readonly size: number
  readonly root: Buffer
}

/** A C2SP witness, from tlog-witness alone: it cosigns what continues the tree that it has seen, and reports anything else. */
export function createCosigner(world: World, plan: Plan, truth: Truth): Server {
  const { random } = world
  const seen = new Map<string, Tree>()
  const say = (status: number, body: string): Reply => ({
    ...{ kind: 'response', status, body, afterMs: random.between(1, 400) },
    headers: { 'content-type': 'text/plain' },
  })

  function cosign(text: string): Reply {
    const time = BigInt(Math.floor(world.outside.now() / 1000))
    const stamp = Buffer.alloc(8)
    stamp.writeBigUInt64BE(time)
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), privateKey)
    world.reach('witness: cosigned')
    return say(200, `— ${name} ${Buffer.concat([keyId, stamp, signature]).toString('base64')}\n`)
  }

  function refuse(what: string): Reply {
    if (!truth.hasLostCommits) world.fail(`a witness was shown ${what}`)
    return say(422, '')
  }

  function handle(body: string): Reply {
    const end = body.indexOf('\n\n')
    const [first = '', ...lines] = body.slice(0, end).split('\n')
    const note = body.slice(end + 2)
    const old = Number(/^old (\d+)$/.exec(first)?.[1])
    const { origin, size, root } = readCheckpoint(note)!
    const known = seen.get(origin) ?? { size: 0, root: Buffer.alloc(0) }
    if (old !== known.size) return say(409, `${known.size}\n`)
    if (old > size) return say(400, '')
    if (old === size && size > 0 && !root.equals(known.root)) return refuse(`two trees of ${size} leaves`)
    if (old > 0 && old < size) {
      const proof = lines.map((line) => Buffer.from(line, 'base64'))
      const [was, is] = rootsByProof(known.root, old, size, proof)
      if (!was.equals(known.root) || !is.equals(root))
        return refuse(`a tree of ${size} leaves that does not continue that of ${old}`)
    }
    seen.set(origin, { size, root })
    return cosign(note.slice(0, note.indexOf('\n\n') + 1))
  }

  return {
    accepts: () => true,
    handle({ body }) {
      if (plan.isOn('provider-errors') && random.chance(plan.providerFaultShare)) return say(503, '')
      return handle(body)
    },
  }
}
