import { ok } from '../../../http/endpoint.ts'
import { operatorHandler } from '../../../operator-kit/endpoint.ts'
import { defineFeature, type OperatorContext, type OperatorPart } from '../../../ops/feature.ts'
import { creditOperations, type MoveCreditsRequest } from './contract.ts'
import { moveCredits, movementApprovals } from './credits.ts'

function build({ config, engine, ledger, clock }: OperatorContext) {
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
}

export const creditsFeature = defineFeature({ name: 'credits', operatorOperations: creditOperations, build })

export const creditsPart: OperatorPart = { operations: creditOperations, build }
