import type { Config } from '../../config/config.ts'
import { collectFaults } from '../../config/faults.ts'
import { createPaymentProviders } from '../../providers/payments/choose.ts'
import { PaymentFault, type PaymentProvider } from '../../providers/payments/payment-provider.ts'
import { type Finding, findingsOf } from './finding.ts'

/** Whether payments can be made: keys, certificates, clocks, and whether each provider responds. Never shows a secret. */
export async function checkPayments(config: Config, clock: () => number): Promise<Finding[]> {
  const found: Finding[] = config.payments.simulated
    ? [findingsOf('payments.simulated').ok('is on, because the origin is this machine', '已启用，因为访问地址是本机')]
    : []
  for (const method of ['wechat', 'alipay'] as const) {
    const section = config.payments[method]
    if (!section) continue
    const { failure } = findingsOf(`payments.${method}`)
    const faults = collectFaults()
    const secrets = { credential: config.credential, report: faults.report }
    const settings = { [method]: section }
    const provider = createPaymentProviders(settings, secrets, { origin: config.origin.origin, clock }).get(method)
    if (provider) found.push(await connectionOf(method, provider))
    for (const { what, remedy } of faults.found()) {
      const zh = [`配置有误：${what}`, `${remedy} 修正前网关无法启动。`] as [string, string]
      found.push(failure(what, `${remedy} The gateway will not start until then.`, zh))
    }
  }
  return found
}

async function connectionOf(method: 'wechat' | 'alipay', provider: PaymentProvider): Promise<Finding> {
  const { ok, failure } = findingsOf(`payments.${method}`)
  try {
    const response = await provider.check?.()
    return response === undefined ? ok('is configured', '已配置') : ok(response, '已连通，密钥和时钟正确')
  } catch (error) {
    if (!(error instanceof PaymentFault)) throw error
    return failure(error.message, 'Check the keys, the clock of this machine and the connection to the provider.', [
      `未连通：${error.message}`,
      '请检查密钥、本机时钟和到服务商的网络。',
    ])
  } finally {
    await provider.stop?.()
  }
}
