import { scopes } from '../../src/contract/prices.ts'
import { startMediaProvider } from '../providers/media-provider.ts'
import type { EngineName } from '../store/engines.ts'
import { Browser } from './browser.ts'
import { startGateway } from './gateway.ts'
import { mediaFile } from './media-customer.ts'
import { signedInOperator } from './operator-browser.ts'

const callbackSecret = `whsec_${Buffer.from('a secret of the provider').toString('base64')}`

/** A gateway that takes requests to every operation, from a payer with credits, their key, and an operator. */
export async function startEverydayGateway(engine: EngineName) {
  const provider = await startMediaProvider()
  const none = { max: 1_000_000, windowSeconds: 60 }
  const gateway = await startGateway({
    engine,
    file: { ...mediaFile(provider), limits: { sessionWritesPerProject: none, callsPerKey: none } },
    environment: { MEDIA_CALLBACK_SECRET: callbackSecret },
  })
  const payer = new Browser(gateway)
  await payer.register()
  await payer.recharge(10_000)
  return {
    ...{ gateway, payer, callbackSecret },
    apiKey: (await payer.createKey([...scopes])).apiKey as string,
    admin: await signedInOperator(gateway, 'ada', 'admin'),
    async close() {
      await gateway.stop()
      await provider.close()
    },
  }
}
