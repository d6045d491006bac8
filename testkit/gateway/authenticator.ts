import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { origin } from './gateway.ts'

interface Faults {
  readonly origin?: string
  readonly rpId?: string
  readonly isUserVerified?: boolean
  readonly challenge?: string
  readonly userHandle?: string
  /** Of the authenticator, instead of the next one. */
  readonly counter?: number
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/** A passkey in software: what a browser and its authenticator return, with faults on demand. */
export class SoftPasskey {
  readonly id = randomBytes(16).toString('base64url')
  readonly #key: KeyObject
  readonly #coseKey: Buffer
  counter = 0
  #userHandle = ''

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    const { x, y } = publicKey.export({ format: 'jwk' })
    const coordinate = (value: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')])
    // COSE: key type EC2, algorithm ES256, curve P-256, x and y.
    this.#coseKey = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      coordinate(x!),
      Buffer.from([0x22]),
      coordinate(y!),
    ])
  }

  /** The response to the options of a registration. */
  create(options: { challenge: string; user: { id: string } }, faults: Faults = {}) {
    this.#userHandle = options.user.id
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#coseKey])
    const authData = this.#authData(0x40, attested, faults)
    const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
    const attestation = Buffer.concat([
      ...[Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData')],
      Buffer.from([0x58, authData.length]),
      authData,
    ])
    return {
      id: this.id,
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, faults).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    }
  }

  /** The response to the options of a sign-in or a proof. */
  get(options: { challenge: string }, faults: Faults = {}) {
    const authData = this.#authData(0, Buffer.alloc(0), faults)
    const clientData = this.#clientData('webauthn.get', options.challenge, faults)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#key)
    return {
      id: this.id,
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: faults.userHandle ?? this.#userHandle,
    }
  }

  #authData(flag: number, attested: Buffer, faults: Faults): Buffer {
    const { rpId = 'localhost', isUserVerified = true, counter = ++this.counter } = faults
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flag | 0x01 | (isUserVerified ? 0x04 : 0)]), count, attested])
  }

  #clientData(type: string, challenge: string, faults: Faults): Buffer {
    const data = { type, challenge: faults.challenge ?? challenge, origin: faults.origin ?? origin, crossOrigin: false }
    return Buffer.from(JSON.stringify(data))
  }
}
