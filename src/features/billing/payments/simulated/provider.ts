import type { FeatureContext } from '../../../../ops/feature.ts'
import { createSimulated } from '../../../../providers/payments/simulated.ts'
import { createSimulatedRecords } from './records.ts'

export const simulatedPath = '/simulated-pay/{tradeId}'

/** The simulated provider with its records in the store. */
export function createSimulatedOn({ config, engine, clock }: Pick<FeatureContext, 'config' | 'engine' | 'clock'>) {
  const records = createSimulatedRecords(engine)
  const pageOf = (tradeId: string) => `${config.origin.origin}${simulatedPath.replace('{tradeId}', tradeId)}`
  return { records, simulated: createSimulated({ records, clock, pageOf }) }
}
