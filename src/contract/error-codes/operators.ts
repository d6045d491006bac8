import type { ErrorCode } from '../errors.ts'
import { errors, Refusal } from '../errors.ts'
import { type ErrorRow, row } from './row.ts'

export const operatorErrors = {
  // Signing in
  GATEWAY_AUTH_REQUIRED: row`401 fix
    You are not signed in, or the session has ended.
    Sign in again.
    You are not signed in. Sign in again. | 登录已过期，请重新登录。`,
  AUTHENTICATION_FAILED: row`401 fix
    The name, the password or the one-time code is wrong, or the operator is disabled or not yet approved.
    Correct them and try again.
    Wrong name, password or one-time code. | 名称、密码或动态码错误。`,
  TOTP_REQUIRED: row`401 fix
    This sign-in needs a one-time code.
    Send the code from your authenticator app as totp.
    Enter the 6-digit code from your authenticator app. | 请输入身份验证器中的 6 位动态码。`,
  TOTP_ENROLMENT_REQUIRED: row`403 fix
    One-time codes must be set up before anything else.
    Send POST /api/me/totp and then POST /api/me/totp/confirm.
    Set up one-time codes before you continue. | 请先绑定身份验证器。`,
  OPERATOR_LOCKED: row`403 never
    The operator is locked after five wrong one-time codes in a row.
    Ask an administrator for a reset, or reset the operator on the command line.
    Locked after five wrong one-time codes in a row. Ask an administrator to reset your sign-in. | 动态码连续输错 5 次，已锁定。请联系管理员重置登录信息。`,
  SIGN_IN_LINK_INVALID: row`401 fix
    The sign-in link has already been used or is older than 10 minutes.
    Restart the gateway for a new link, or sign in with a password.
    The link has already been used or is older than 10 minutes. Restart the gateway for a new one, or sign in with a password. | 链接已使用过或超过 10 分钟。请重启网关获取新链接，或使用密码登录。`,
  CSRF_INVALID: row`403 fix
    The CSRF token does not belong to this session.
    Read /api/me for the token.
    Your session was refreshed in another tab. Reload the page and try again. | 登录状态已在其他标签页更新，请刷新后重试。`,
  PASSWORD_CHANGE_REQUIRED: row`403 fix
    The first password must be changed before anything else.
    Send POST /api/me/password.
    Change your first password before you continue. | 请先修改初始密码。`,
  ROLE_NOT_ALLOWED: row`403 never
    Your role does not allow this.
    Ask an operator who has the role named.
    Your role does not allow this. Ask an operator who can do it. | 您的角色没有此权限，请联系有权限的操作员。`,
  NO_PASSWORD: row`409 never
    The local administrator has no password.
    Add an operator and sign in as that operator.
    The local administrator has no password. Add an operator and sign in as that operator. | 本机管理员没有密码。请添加操作员，并以该操作员登录。`,

  // What is acted on
  PROJECT_NOT_FOUND: row`404 fix
    There is no such project.
    Find the account first.
    There is no such project. | 没有这个项目。`,
  ACCOUNT_NOT_FOUND: row`404 fix
    There is no such account.
    Find the account first.
    There is no such account. | 没有这个账号。`,
  KEY_NOT_FOUND: row`404 fix
    There is no such key.
    Show the account to see its keys.
    There is no such key. | 没有这个密钥。`,
  FORK_NOT_NEEDED: row`409 never
    The log continues what was published, so there is nothing to announce.
    Do nothing.
    The log is in order; no fork is needed. | 日志正常，无需分叉。`,
  RESUME_NOT_NEEDED: row`409 never
    No instance is waited for, so there is nothing to resume.
    Do nothing.
    No instance is waited for. | 无需等待其他实例。`,
  SIGNING_KEY_NOT_FOUND: row`404 fix
    There is no such signing key, or it was revoked before.
    Look for its kid in /.well-known/jwks.json.
    There is no such signing key. | 没有这个签名密钥。`,
  AUDIT_DAY_NOT_FOUND: row`404 fix
    The tree has no audit log head for this day.
    Ask for a day on which the ledger grew.
    The tree has no audit log head for this day. | 该日没有审计日志的存证。`,
  CHARGE_NOT_FOUND: row`404 fix
    There is no such charge.
    List the reviews.
    There is no such call. | 没有这次调用。`,
  APPROVAL_NOT_FOUND: row`404 fix
    There is no such approval.
    List the approvals.
    There is no such request. | 没有这个申请。`,
  OPERATOR_NOT_FOUND: row`404 fix
    There is no such operator.
    List the operators.
    There is no such operator. | 没有这个操作员。`,
  PROVIDER_NOT_FOUND: row`404 fix
    There is no such provider.
    List the providers.
    There is no such provider. | 没有这个服务商。`,
  RECONCILE_RUN_NOT_FOUND: row`404 fix
    There is no such run.
    List the runs.
    There is no such run. | 没有这次对账。`,
  QUERY_INVALID: row`400 fix
    Say what to look for, in 2 to 254 characters; accounts are found by exactly one of phone, email, id and keyPrefix.
    Correct the query.
    Enter a full phone number or email, an ID, or the start of an API key. | 请输入完整的手机号或邮箱、编号，或 API 密钥的开头。`,
  ROLE_INVALID: row`400 fix
    The role is unknown.
    Use viewer, support, treasurer or admin.
    Choose a role. | 请选择角色。`,
  DECISION_INVALID: row`400 fix
    The decision is unknown.
    Use settled or released.
    Choose to settle or to release. | 请选择扣费或退回。`,
  CHARGES_INVALID: row`400 fix
    The charges are not 1 to 100 distinct IDs.
    Correct the list.
    Select 1 to 100 calls. | 请选择 1 到 100 次调用。`,
  CREDITS_INVALID: row`400 fix
    The credits are not a whole number in the allowed range.
    Correct the number.
    Enter a whole number from 1 to 100,000. | 请输入 1 到 100,000 的整数。`,
  REASON_INVALID: row`400 fix
    The reason is not 1 to 500 characters on one line.
    Give a reason.
    Give a reason, on one line of at most 500 characters. | 请填写原因，限一行，最多 500 个字符。`,
  REFERENCE_INVALID: row`400 fix
    The reference is not 1 to 200 characters on one line, or begins with the ID of a refund, payment, approval or order.
    Give the number of the bank transfer or ticket.
    Enter a reference of at most 200 characters on one line, such as a ticket number; IDs of refunds, payments, approvals and orders are not accepted. | 请填写凭证号（如工单号），限一行，最多 200 个字符；不能使用退款、付款、审批或订单的 ID。`,
  REFERENCE_ALREADY_USED: row`409 fix
    This reference was already used in this project, with a different number of credits.
    Check the ledger of the project; use a new reference for a new movement.
    This reference was already booked with a different number of credits. Check the account’s ledger. | 该凭证号已按其他点数处理过，请先核对该账号的收支明细。`,
  REFERENCE_SEEN_BEFORE: row`409 fix
    A movement with the same reference, apart from spelling, exists in this or another project.
    Check whether it is the same payment; if not, resend it with again set to true.
    This reference, or a similar one, was already booked. Check whether it is the same payment. | 相同或相似的凭证号已使用过，请核对是否为同一笔付款。`,
  INSUFFICIENT_CREDITS: row`409 fix
    The project has fewer available credits than the refund takes back.
    Refund less, or ask the payer.
    The project does not have enough available credits. | 项目的可用点数不足。`,
  PAYMENT_NOT_FOUND: row`404 fix
    There is no such payment, or it was not paid.
    Check the payment id.
    There is no such payment, or it was not paid. | 没有这笔付款，或尚未支付。`,
  REFUND_AMOUNT_INVALID: row`400 fix
    The amount is not a multiple of 10 fen, or is more than what is left of the payment.
    Refund less, in steps of 10 fen.
    Enter an amount in steps of ¥0.10, up to what is left of the payment. | 请输入 0.10 元的整数倍，且不超过该付款的可退金额。`,
  REFUND_NOT_FOUND: row`404 fix
    There is no such refund.
    Check the refund id.
    There is no such refund. | 没有这笔退款。`,
  REFUND_OUTCOME_INVALID: row`400 fix
    The outcome of the refund is unknown.
    Use refunded or returned.
    Choose whether the money was paid back. | 请选择钱款是否已退。`,
  REFUND_NOT_IN_REVIEW: row`409 never
    The refund is not in review.
    There is nothing to decide.
    This refund is no longer in review. | 这笔退款已不在待核对中。`,
  PAYMENT_OUTCOME_INVALID: row`400 fix
    The outcome of the payment is unknown.
    Use credit or refund.
    Choose whether the payment is credited or refunded. | 请选择入账或退款。`,
  PAYMENT_NOT_IN_REVIEW: row`409 never
    Nothing of the payment waits for a decision.
    There is nothing to decide.
    This payment no longer needs a decision. | 这笔付款已无需处理。`,
  PAYMENT_NOT_CREDITABLE: row`409 fix
    What was paid cannot be credited.
    Refund it.
    This payment cannot be credited. Refund it. | 这笔付款无法入账，请退款。`,
  PAYMENT_UNAVAILABLE: row`503 wait 60
    The provider could not be asked what was paid.
    End the payment later.
    The provider could not be reached. Try again later. | 未能连接支付渠道，请稍后再试。`,
  COMPARISON_NOT_FOUND: row`404 fix
    This day has not been compared with the bill for this method.
    Compare the day.
    This day has not been compared yet. | 该日尚未核对账单。`,
  DIFFERENCE_NOT_FOUND: row`404 fix
    The comparison has no such difference.
    Read the comparison again.
    This difference is no longer there. | 该差异已不存在。`,
  DIFFERENCE_NOT_OPEN: row`409 never
    The difference was settled or credited before.
    There is nothing to settle.
    This difference has already been settled. | 该差异已处理。`,
  DATE_INVALID: row`400 fix
    The date is not today or earlier, in Beijing time.
    Send a day such as 2026-09-03.
    Enter today or an earlier day. | 请输入今天或更早的日期。`,
  BILL_UNAVAILABLE: row`503 wait 60
    The bill could not be fetched from the provider.
    Compare the day later.
    The bill could not be fetched from the provider. Try again later. | 未能获取支付渠道的账单，请稍后再试。`,
  AVAILABLE_CREDITS_EXCEEDED: row`409 fix
    The project does not have that many available credits.
    Withdraw at most what is available.
    The account does not have that many available credits. | 该账号的可用点数不足。`,
  NOT_IN_REVIEW: row`409 never
    The charge is not in review.
    There is nothing to decide.
    This call is no longer in review. | 这次调用已不在待确认中。`,
  APPROVAL_NOT_PENDING: row`409 never
    The approval is no longer pending.
    List the approvals.
    This request has already been decided. | 该申请已处理。`,
  APPROVAL_OWN_REQUEST: row`403 never
    Operators cannot approve their own requests.
    Ask another operator.
    You cannot approve your own request. Ask another operator. | 不能审批自己的申请，请联系其他操作员。`,
  APPROVER_NOT_INDEPENDENT: row`403 never
    You were added or reset after this request, or by the operator who made it.
    Ask an operator who was there before, or approve it on the command line.
    You were added or reset after this request, or by the operator who made it. Ask another operator. | 您在该申请之后才被添加或重置，或由申请人添加或重置，不能审批。请联系其他操作员。`,
  OPERATOR_NOT_PENDING: row`409 never
    The operator is not waiting for approval.
    List the operators.
    This operator has already been approved or rejected. | 该操作员已审批。`,
  OPERATOR_ALREADY_EXISTS: row`409 fix
    There is already an operator with this name.
    Choose another name, or reset that operator.
    There is already an operator with this name. | 已有同名的操作员。`,
  OPERATOR_NAME_INVALID: row`400 fix
    The name is not 1 to 64 letters of one script, digits 0 to 9, dots, dashes or underscores, beginning with a letter or digit.
    Choose another name.
    Use 1 to 64 letters of one script, digits, dots, dashes or underscores, and begin with a letter or digit. | 请使用 1 到 64 个同一种文字的字符、数字、点、短横线或下划线，以文字或数字开头。`,
  RECOVERY_UNAVAILABLE: row`503 never
    Password recovery cannot be started here.
    Ask the customer to reset it themselves.
    Password recovery cannot be started here. Ask the customer to reset it themselves. | 无法在此发起密码找回，请客户自行找回。`,
  INCIDENT_NOT_FOUND: row`404 fix
    There is no such incident.
    List the incidents.
    There is no such incident. | 没有这条公告。`,
  INCIDENT_TEXT_INVALID: row`400 fix
    A text is empty, longer than 500 characters or not a single line.
    Send zh and en, each in one line of at most 500 characters.
    Describe it in one line of at most 500 characters. | 请用一行文字说明，不超过 500 个字符。`,
  INCIDENT_TIME_INVALID: row`400 fix
    A time cannot be read, is more than a year away, or the end is before the beginning.
    Send times such as 2026-09-03T08:00:00Z, with to after from.
    The end must be after the beginning, and both within a year of now. | 结束时间须晚于开始时间，且均在前后一年之内。`,
  INCIDENT_ENDED: row`409 never
    The incident has ended.
    There is nothing to end.
    This incident has already ended. | 这条公告已结束。`,
  RECONCILE_RUNNING: row`409 fix
    A run is in progress.
    Wait until it finishes.
    A run is in progress. Wait until it finishes. | 对账正在进行，请等待完成。`,
} as const

export type OperatorErrorCode = keyof typeof operatorErrors

export type OperatorApiCode = ErrorCode | OperatorErrorCode

export const operatorApiErrors: Readonly<Record<OperatorApiCode, ErrorRow>> = { ...errors, ...operatorErrors }

/** Refuses an operator's action. A message says more about this case than the code's meaning. */
export const operatorRefusal = (code: OperatorErrorCode, message?: string): Refusal<OperatorErrorCode> =>
  new Refusal<OperatorErrorCode>(code, { message, row: operatorErrors[code] })
