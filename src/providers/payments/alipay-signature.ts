import { createSign, createVerify, type KeyObject } from 'node:crypto'

type Parameters = Readonly<Record<string, string>>

/** Sorted by name and joined, without empty values; `left` names what the signature does not cover. */
const contentOf = (parameters: Parameters, left: readonly string[]): string =>
  Object.keys(parameters)
    .filter((name) => parameters[name] !== '' && !left.includes(name))
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')

/** RSA2: SHA-256 with RSA over the sorted parameters. */
export const signParameters = (parameters: Parameters, privateKey: KeyObject): string =>
  createSign('RSA-SHA256')
    .update(contentOf(parameters, ['sign']))
    .sign(privateKey, 'base64')

/** Whether Alipay signed a callback. Its signature leaves out `sign_type`, unlike that of a request. */
export const isCallbackSigned = (parameters: Parameters, publicKey: KeyObject): boolean =>
  isSigned(contentOf(parameters, ['sign', 'sign_type']), parameters.sign ?? '', publicKey)

export const isSigned = (content: string, signature: string, publicKey: KeyObject): boolean =>
  createVerify('RSA-SHA256').update(content).verify(publicKey, Buffer.from(signature, 'base64'))

/**
 * The part of a response that its signature covers: the value of `<method>_response`, as it was sent. Undefined if there is none.
 * Found by counting brackets, because parsing and writing it again could change its bytes.
 */
export function signedPart(text: string, node: string): string | undefined {
  const start = text.indexOf(`"${node}"`)
  const open = start === -1 ? -1 : text.indexOf('{', start)
  if (open === -1) return undefined
  let depth = 0
  let isText = false
  for (let at = open; at < text.length; at += 1) {
    const character = text[at]
    if (isText) {
      if (character === '\\') at += 1
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) return text.slice(open, at + 1)
    }
  }
  return undefined
}
