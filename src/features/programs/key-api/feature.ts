import { endpoint, ok, operationsById, pathParameter, queryReader } from '../../../http/endpoint.ts'
import { createInstanceLimit } from '../../../http/instance-limit.ts'
import type { Call, Route, RouteResponse } from '../../../http/route.ts'
import { createStaticContent } from '../../../http/static/static-content.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { authenticateCall } from '../../calls/native/routes.ts'
import type { KeysParts } from '../../identity/keys/feature.ts'
import type { Reports } from '../../records/reports/feature.ts'
import type { SinceParameters } from '../../records/transparency/receipts/contract.ts'
import { jose, type ReceiptsParts } from '../../records/transparency/receipts/feature.ts'
import { keyDocument, keyDocumentOperation, keyReadOperations, type OwnChargeParameters } from './contract.ts'
import { createKeyApi } from './key-api.ts'
import { createKeyApiStore, type KeyOwner } from './store.ts'

export interface KeyApiDeps
  extends Pick<KeysParts, 'authenticate'>,
    Pick<Reports, 'reports'>,
    Pick<ReceiptsParts, 'receipts'> {}

export const keyApiFeature = defineFeature({
  name: 'key-api',
  build({ config, engine, clock }, { authenticate, reports, receipts }: KeyApiDeps) {
    const store = createKeyApiStore(engine, reports)
    const keyApi = createKeyApi({ store, reports, callsPerKey: config.limits.callsPerKey, clock })
    const limit = createInstanceLimit({ limit: config.limits.keyReadsPerKey, clock })
    const operation = operationsById(keyReadOperations)
    const readParameters = queryReader<OwnChargeParameters>(operation('charges.list'))
    const document = createStaticContent({
      body: () => JSON.stringify(keyDocument(config.origin.origin)),
      contentType: 'application/json; charset=utf-8',
    })

    function countRead(keyId: string): void {
      limit.check(keyId)
      limit.count(keyId)
    }

    /** The key is looked up again, because no admission follows that would notice a revoked one. */
    const keyRoute = (id: string, show: (owner: KeyOwner, call: Call) => Promise<RouteResponse>): Route => ({
      ...endpoint(operation(id), async (call) => {
        const owner = await authenticateCall(authenticate, call, { isCurrent: true })
        countRead(owner.keyId)
        return show(owner, call)
      }),
      overloadCode: 'RATE_LIMITED',
    })
    const read = (id: string, show: (owner: KeyOwner, call: Call) => Promise<object>): Route =>
      keyRoute(id, async (owner, call) => ok(await show(owner, call)))
    const receipt = operation('charges.receiptJws')
    const readSince = queryReader<SinceParameters>(receipt)

    return {
      keyApi,
      countRead,
      routes: [
        read('key.read', (owner) => keyApi.key(owner)),
        read('charges.list', (owner, call) => keyApi.charges(owner, readParameters(call))),
        read('charges.read', (owner, call) =>
          keyApi.charge(owner, pathParameter(operation('charges.read'), call, 'chargeId')),
        ),
        keyRoute(receipt.id, async (owner, call) => {
          const chargeId = pathParameter(receipt, call, 'chargeId')
          await keyApi.charge(owner, chargeId).catch(async (error) => {
            // An archived charge is only in its receipt.
            const keyId = await receipts.archivedKey(owner.projectId, chargeId)
            if (keyId === null || !(await store.isOfChain(owner.keyId, keyId))) throw error
          })
          return jose(await receipts.charge(owner.projectId, chargeId, readSince(call).since, { keyId: owner.keyId }))
        }),
        endpoint(keyDocumentOperation, document.respond),
      ],
    }
  },
})

export type KeyApiParts = ReturnType<typeof keyApiFeature.build>
