import { openHttpClient } from '../../../providers/http/client.ts'
import { whyFailed } from '../../../providers/http/exchange.ts'
import { type Cosigner, findCosignature } from './cosignatures.ts'

/** A witness gave no cosignature, and why. */
export class WitnessFault extends Error {
  override readonly name = 'WitnessFault'
  /** Whether the witness holds, or claims to hold, a checkpoint that this log contradicts. */
  readonly contradicts: boolean

  constructor(message: string, contradicts = false) {
    super(message)
    this.contradicts = contradicts
  }
}

export interface WitnessRequest {
  readonly note: string
  readonly size: number
  /** The consistency proof from an older size. */
  readonly proofFrom: (size: number) => Promise<readonly Buffer[]>
}

export type Witness = ReturnType<typeof createWitness>

const timeoutMs = 10_000
const maxResponseBytes = 16_384

/** Asks one witness for cosignatures, over C2SP tlog-witness. */
export function createWitness(url: string, cosigner: Cosigner) {
  const { origin, pathname } = new URL(url)
  const client = openHttpClient(origin, { connections: 1 })
  const path = `${pathname.replace(/\/$/, '')}/add-checkpoint`
  /** The size that the witness has cosigned, as far as we know. */
  let known = 0

  async function post(body: string): Promise<{ status: number; text: string }> {
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    const result = await client.send({ method: 'POST', path, headers, body, timeoutMs, maxBytes: maxResponseBytes })
    if (result.event !== 'answered') throw new WitnessFault(`no response: ${whyFailed(result)}`)
    return { status: result.value.status, text: result.value.body.toString() }
  }

  async function add({ note, proofFrom }: WitnessRequest, old: number) {
    const proof = (await proofFrom(old)).map((hash) => `${hash.toString('base64')}\n`)
    return post(`old ${old}\n${proof.join('')}\n${note}`)
  }

  return {
    cosigner,
    /** The line of its cosignature. Retries once with the size that the witness reports. */
    async cosign(request: WitnessRequest): Promise<string> {
      let response = await add(request, Math.min(known, request.size))
      if (response.status === 409) {
        const size = /^(0|[1-9]\d{0,15})\n?$/.test(response.text) ? Number(response.text) : null
        if (size === null) throw new WitnessFault('it has another tree of this size', true)
        known = size
        if (size > request.size) throw new WitnessFault(`it has seen a tree of ${size} leaves`, true)
        response = await add(request, size)
        if (response.status === 409) throw new WitnessFault('it has another tree', size === request.size)
      }
      if (response.status === 422) throw new WitnessFault('it does not accept the consistency proof', true)
      if (response.status !== 200) throw new WitnessFault(`status ${response.status}`)
      const line = findCosignature(response.text, request.note, cosigner)
      if (!line) throw new WitnessFault('its response has no valid cosignature')
      known = request.size
      return line
    },
    close: client.close,
  }
}
