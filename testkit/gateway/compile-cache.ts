import { fileURLToPath } from 'node:url'

/** Where gateways of tests keep what they compiled: the same place as a gateway that an operator starts. */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/gateway', import.meta.url))
