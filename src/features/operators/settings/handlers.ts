import type { Config } from '../../../config/config.ts'
import { ok } from '../../../http/endpoint.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import type { DoctorParameters, DoctorReport } from './contract.ts'
import { effectiveSettings } from './settings.ts'

export const settingHandlers = (
  config: Config,
  doctor: (language: DoctorParameters['language']) => Promise<DoctorReport>,
): OperatorHandler[] => [
  operatorHandler('operator.settings', () => ok(effectiveSettings(config))),
  operatorHandler<unknown, DoctorParameters>('operator.doctor', async ({ query }) => ok(await doctor(query.language))),
]
