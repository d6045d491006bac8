import type { entryKinds } from './choices.ts'
import type { ReasonCode } from './reasons.ts'

/** The Chinese words of charges and ledger entries: in the console and in files. */

export const chargeStatesInChinese = {
  reserved: '冻结中',
  settled: '已扣费',
  released: '已退回',
  manual_review: '待确认',
} as const

export const entryKindsInChinese = {
  credit: '充值',
  reserve: '冻结',
  settle: '扣费',
  release: '退回',
  review: '待确认',
  grant: '人工入账',
  withdraw: '人工扣回',
} as const satisfies Record<(typeof entryKinds)[number], string>

export const reasonsInChinese = {
  PROVIDER_ANSWERED_TIMEOUT: '服务商返回了超时错误。',
  PROVIDER_TIMED_OUT: '服务商未在规定时间内响应。',
  PROVIDER_CONNECTION_LOST: '收到响应前，与服务商的连接中断。',
  PROVIDER_RESPONSE_CUT: '接收响应的过程中，与服务商的连接中断。',
  PROVIDER_RESPONSE_GARBLED: '服务商返回了无效的响应。',
  ADAPTER_FAILED_AFTER_SENDING: '调用发出后，网关出错。',
  INSTANCE_STOPPED_DURING_CALL: '调用进行中，网关停止了运行。',
  PROVIDER_JOB_FAILED: '服务商返回任务失败。',
  PROVIDER_JOB_CANCELLED: '任务已取消。',
  PROVIDER_JOB_NOT_ACCEPTED: '服务商未接受该任务。',
  PROVIDER_JOB_FORGOTTEN: '服务商已查不到该任务。',
  PROVIDER_JOB_UNTRACEABLE: '服务商无法确认是否接受了该任务。',
  PROVIDER_JOB_ID_REUSED: '服务商返回的任务编号属于另一个任务。',
  PROVIDER_JOB_OVERDUE: '任务超过期限一天仍未结束。',
  INSTANCE_STOPPED_BEFORE_FORWARDING: '调用发出前，网关停止了运行。',
} as const satisfies Record<ReasonCode, string>
