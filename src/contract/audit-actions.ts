/** What reconcile compares with the audit log: rows that only an operator's action writes. */
export type AuditedEffect =
  | 'movement'
  | 'approval requested'
  | 'approval rejected'
  | 'review decided'
  | 'account suspended'
  | 'provider switched'
  | 'operator added'
  | 'operator reset'
  | 'operator disabled'

type AuditedObject =
  | 'account'
  | 'key'
  | 'project'
  | 'refund'
  | 'payment'
  | 'charge'
  | 'comparison'
  | 'provider'
  | 'incident'
  | 'log'
  | 'run'
  | 'operator'
  | 'operation'

interface AuditActionRow {
  /** What the entry's `object` is the id of. */
  readonly object: AuditedObject
  readonly effect?: AuditedEffect
  readonly en: string
  readonly zh: string
}

/** Everything that the audit log can say an operator did, in the order of the console's filter. */
export const auditActions = {
  'account.suspend': { object: 'account', effect: 'account suspended', en: 'Suspend account', zh: '停用账号' },
  'account.reinstate': { object: 'account', en: 'Reinstate account', zh: '恢复账号' },
  'account.sign_out': { object: 'account', en: 'Sign out account', zh: '账号全部退出登录' },
  'account.recover': { object: 'account', en: 'Start recovery', zh: '发起密码找回' },
  'key.revoke': { object: 'key', en: 'Revoke key', zh: '吊销密钥' },
  'credits.grant': { object: 'project', effect: 'movement', en: 'Grant credits', zh: '人工入账' },
  'credits.grant.request': {
    ...{ object: 'project', effect: 'approval requested' },
    ...{ en: 'Request a grant', zh: '申请入账' },
  },
  'credits.grant.approve': { object: 'project', effect: 'movement', en: 'Approve a grant', zh: '通过入账' },
  'credits.grant.reject': { object: 'project', effect: 'approval rejected', en: 'Reject a grant', zh: '驳回入账' },
  'credits.withdraw': { object: 'project', effect: 'movement', en: 'Withdraw credits', zh: '扣回' },
  'credits.withdraw.request': {
    ...{ object: 'project', effect: 'approval requested' },
    ...{ en: 'Request a withdrawal', zh: '申请扣回' },
  },
  'credits.withdraw.approve': { object: 'project', effect: 'movement', en: 'Approve a withdrawal', zh: '通过扣回' },
  'credits.withdraw.reject': {
    ...{ object: 'project', effect: 'approval rejected' },
    ...{ en: 'Reject a withdrawal', zh: '驳回扣回' },
  },
  'payments.refund': { object: 'project', en: 'Refund a payment', zh: '退款' },
  'payments.refund.request': {
    ...{ object: 'project', effect: 'approval requested' },
    ...{ en: 'Request a refund', zh: '申请退款' },
  },
  'payments.refund.approve': { object: 'project', en: 'Approve a refund', zh: '通过退款' },
  'payments.refund.done': { object: 'refund', en: 'End a refund as paid back', zh: '确认退款已退' },
  'payments.refund.done.request': {
    ...{ object: 'project', effect: 'approval requested' },
    ...{ en: 'Request to end a refund as paid back', zh: '申请确认退款已退' },
  },
  'payments.refund.done.approve': { object: 'refund', en: 'Approve a refund as paid back', zh: '通过确认已退' },
  'payments.refund.failed': { object: 'refund', en: 'End a refund as not paid back', zh: '确认退款未退' },
  'payments.refund.failed.request': {
    ...{ object: 'project', effect: 'approval requested' },
    ...{ en: 'Request to end a refund as not paid back', zh: '申请确认退款未退' },
  },
  'payments.refund.failed.approve': { object: 'refund', en: 'Approve a refund as not paid back', zh: '通过确认未退' },
  'payments.end.credit': { object: 'payment', en: 'Credit a payment in review', zh: '付款入账' },
  'payments.end.credit.request': {
    ...{ object: 'project', effect: 'approval requested' },
    ...{ en: 'Request to credit a payment', zh: '申请付款入账' },
  },
  'payments.end.credit.approve': { object: 'payment', en: 'Approve crediting a payment', zh: '通过付款入账' },
  'payments.end.refund': { object: 'payment', en: 'Refund money that was not credited', zh: '未入账付款退款' },
  'payments.end.refund.request': {
    ...{ object: 'project', effect: 'approval requested' },
    ...{ en: 'Request to refund money that was not credited', zh: '申请未入账付款退款' },
  },
  'payments.end.refund.approve': {
    ...{ object: 'payment', en: 'Approve refunding money that was not credited', zh: '通过未入账付款退款' },
  },
  'payments.compare': { object: 'comparison', en: 'Compare with bill', zh: '核对账单' },
  'payments.difference.settle': { object: 'comparison', en: 'Settle a difference', zh: '标记差异已处理' },
  'review.settle': { object: 'charge', effect: 'review decided', en: 'Settle review', zh: '待确认：扣费' },
  'review.release': { object: 'charge', effect: 'review decided', en: 'Release review', zh: '待确认：退回' },
  'provider.take_out': {
    ...{ object: 'provider', effect: 'provider switched' },
    ...{ en: 'Take provider out of service', zh: '停用服务商' },
  },
  'provider.put_back': {
    ...{ object: 'provider', effect: 'provider switched' },
    ...{ en: 'Put provider back in service', zh: '恢复服务商' },
  },
  'incident.add': { object: 'incident', en: 'Publish an incident', zh: '发布状态公告' },
  'incident.edit': { object: 'incident', en: 'Correct an incident', zh: '修改状态公告' },
  'incident.end': { object: 'incident', en: 'End an incident', zh: '结束状态公告' },
  'receipts.rotate_key': { object: 'log', en: 'Rotate signing key', zh: '更换签名密钥' },
  'transparency.fork': { object: 'log', en: 'Announce a fork of the log', zh: '公告日志分叉' },
  'transparency.resume': { object: 'log', en: 'Sign again after a change of server', zh: '更换数据库后恢复签名' },
  'reconcile.start': { object: 'run', en: 'Start reconciliation', zh: '开始对账' },
  'operator.add': { object: 'operator', effect: 'operator added', en: 'Add operator', zh: '添加操作员' },
  'operator.disable': { object: 'operator', effect: 'operator disabled', en: 'Disable operator', zh: '停用操作员' },
  'operator.reset': { object: 'operator', effect: 'operator reset', en: 'Reset operator', zh: '重置操作员' },
  'operator.approve': { object: 'operator', en: 'Approve operator', zh: '通过操作员' },
  'operator.reject': { object: 'operator', effect: 'operator disabled', en: 'Reject operator', zh: '驳回操作员' },
  'operator.lock': { object: 'operator', en: 'Lock operator', zh: '锁定操作员' },
  'operator.password': { object: 'operator', en: 'Change own password', zh: '修改本人密码' },
  'operator.totp': { object: 'operator', en: 'Set up own one-time codes', zh: '设置本人动态码' },
  'operator.sign_in': { object: 'operator', en: 'Sign in', zh: '登录' },
  'operator.sign_in_failed': { object: 'operator', en: 'Failed sign-in', zh: '登录失败' },
  'operator.refused': { object: 'operation', en: 'Refused: role not allowed', zh: '权限不足，已拒绝' },
} as const satisfies Readonly<Record<string, AuditActionRow>>

type Actions = typeof auditActions
export type AuditAction = keyof Actions

/** The actions that leave such rows. */
export type ActionsWith<E extends AuditedEffect> = {
  [A in AuditAction]: Actions[A] extends { readonly effect: E } ? A : never
}[AuditAction]

/** What an entry says before and after an action; the console names each field. */
export const auditedFields = {
  state: { en: 'state', zh: '状态' },
  role: { en: 'role', zh: '角色' },
  recovery: { en: 'recovery', zh: '密码找回' },
  totp: { en: 'one-time codes', zh: '动态码' },
  sessions: { en: 'sessions', zh: '会话数' },
  sessionsEnded: { en: 'sessions ended', zh: '结束会话数' },
  attempts: { en: 'attempts', zh: '次数' },
  from: { en: 'from', zh: '自' },
  to: { en: 'to', zh: '至' },
  credits: { en: 'credits', zh: '点数' },
  available: { en: 'available', zh: '可用' },
  reserved: { en: 'reserved', zh: '冻结' },
  reference: { en: 'reference', zh: '凭证号' },
  approvalId: { en: 'approval ID', zh: '申请编号' },
  refundId: { en: 'refund ID', zh: '退款编号' },
  requestedBy: { en: 'requested by', zh: '申请人' },
  kid: { en: 'signing key', zh: '签名密钥' },
  log: { en: 'log', zh: '日志' },
  revoked: { en: 'revoked key', zh: '吊销的密钥' },
  waived: { en: 'no longer waited for', zh: '不再等待' },
  differenceId: { en: 'difference ID', zh: '差异编号' },
  kind: { en: 'kind', zh: '类型' },
  paymentId: { en: 'payment ID', zh: '付款编号' },
  transactionId: { en: 'transaction', zh: '交易号' },
  outcome: { en: 'outcome', zh: '处理结果' },
  amountFen: { en: 'fen', zh: '金额（分）' },
  transactions: { en: 'transactions', zh: '交易号' },
  uncreditedId: { en: 'uncredited money', zh: '未入账款项编号' },
  projectId: { en: 'project', zh: '项目' },
} as const

export type AuditedField = keyof typeof auditedFields
