import type { Config } from './config.ts'

/** What stands above every page, as HTML; null for nothing. */
export const pageNotice = ({ isLoopback, paymentMode }: Pick<Config, 'isLoopback' | 'paymentMode'>): string | null =>
  !isLoopback && paymentMode === 'local-simulated' ? simulatedPayment : null

const simulatedPayment =
  '<span lang="en">Payments are simulated here: anyone can add credits for free.</span> <span lang="zh-CN">本站为模拟支付，任何人都可以免费充值。</span>'
