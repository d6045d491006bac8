import { ok } from '../../../http/endpoint.ts'
import { operatorHandler } from '../../../operator-kit/endpoint.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { creditOperations, type MoveCreditsRequest } from './contract.ts'
import { moveCredits, movementApprovals } from './credits.ts'

export const creditsFeature = defineFeature({
  name: 'credits',
  operatorOperations: creditOperations,
  build({ config, engine, ledger, clock }) {
    const deps = { engine, ledger, clock, approvalAboveCredits: config.operators.approvalAboveCredits }
    const move = (kind: 'grant' | 'withdraw') =>
      operatorHandler<MoveCreditsRequest>(`operator.credits.${kind}`, async ({ actor, body }) => {
        const moved = await moveCredits(deps, actor, { kind, ...body })
        return ok(moved, 'approval' in moved ? 202 : 200)
      })
    return {
      operatorHandlers: [move('grant'), move('withdraw')],
      approvalHandlers: [movementApprovals(deps)],
    }
  },
})
