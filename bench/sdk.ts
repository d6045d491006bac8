import { runThroughBadNetwork } from '../test/support/sdk/bad-network.ts'
import { installPackedSdk, manyCalls } from '../test/support/sdk/packed-sdk.ts'
import { engines } from '../test/support/store/engines.ts'

const calls = Number(process.argv[2] ?? 10_000)

/** Calls of the packed SDK through a proxy that loses answers and repeats requests: each must be charged exactly once. */
const sdk = await installPackedSdk()
try {
  await sdk.compile('many-calls', manyCalls)
  for (const engine of engines) {
    const startedAt = performance.now()
    const counts = await runThroughBadNetwork(sdk, engine, calls)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    console.log(`${engine}: ${calls} calls, each charged once, in ${seconds} s; requests ${JSON.stringify(counts)}`)
  }
} finally {
  await sdk.remove()
}
