import { row } from './row.ts'

export const accountErrors = {
  // Identity
  PHONE_INVALID: row`400 fix
    The phone is not a mainland-China mobile number. | 手机号不是有效的中国大陆手机号。
    Send 11 digits that match ^1[3-9][0-9]{9}$. | 发送 11 位数字，匹配 ^1[3-9][0-9]{9}$。
    Enter an 11-digit mainland China mobile number. | 请输入 11 位中国大陆手机号。`,
  EMAIL_INVALID: row`400 fix
    The recovery email is not a valid address of at most 254 characters. | 恢复邮箱不是有效地址，或超过 254 个字符。
    Correct the address. | 修正邮箱地址。
    Enter a valid email address of at most 254 characters. | 请输入正确的邮箱地址，最长 254 个字符。`,
  PASSWORD_INVALID: row`400 fix
    A password needs 12 to 128 characters. | 密码须为 12 到 128 个字符。
    Choose another password. | 换一个密码。
    Use a password of 12 to 128 characters. | 密码须为 12 到 128 个字符。`,
  NEXT_PATH_INVALID: row`400 fix
    The next path is not allowed. | 不允许跳转到该路径。
    Leave it out or send /console. | 省略，或填写 /console。
    The page to return to is not allowed. Sign in from the start page. | 跳转地址无效，请从首页登录。`,
  IDENTIFIER_INVALID: row`400 fix
    The identifier is neither a phone number nor an email address. | 账号既不是手机号也不是邮箱。
    Correct the identifier. | 修正账号。
    Enter your phone number or recovery email. | 请输入手机号或恢复邮箱。`,
  VERIFICATION_FAILED: row`400 fix
    The verification code is not valid. | 验证码无效。
    Check the code, or request a new one. | 核对验证码，或重新获取。
    The code is wrong or has expired. Check it, or request a new one. | 验证码错误或已过期，请核对或重新获取。`,
  AUTHENTICATION_FAILED: row`401 fix
    The identifier or the password is wrong. | 账号或密码错误。
    Correct them and try again. | 修正后重试。
    Wrong phone number, email or password. | 账号或密码错误。`,
  SECOND_FACTOR_REQUIRED: row`401 fix
    The password is correct, and the account requires a second factor. | 密码正确，该账号还需要两步验证。
    Send the code from the authenticator app, or a recovery code, to POST /v1/auth/second-factor within 5 minutes. | 5 分钟内将身份验证器的动态码或恢复码提交到 POST /v1/auth/second-factor。
    Enter the code from your authenticator app to sign in. | 请输入身份验证器中的动态码完成登录。`,
  SIGN_IN_EXPIRED: row`401 fix
    No sign-in is waiting for a second factor, or it is older than 5 minutes. | 没有待完成两步验证的登录，或已超过 5 分钟。
    Log in with the password again. | 重新用密码登录。
    That took longer than 5 minutes. Enter your password again. | 已超过 5 分钟，请重新输入密码。`,
  SECOND_FACTOR_FAILED: row`400 fix
    The code is wrong or has already been used. | 动态码或恢复码错误，或已使用过。
    Send the next code from the authenticator app, or an unused recovery code. | 提交身份验证器的下一个动态码，或未使用过的恢复码。
    This code is wrong or has already been used. Enter the next one, or a recovery code. | 动态码或恢复码错误，或已使用过，请输入下一个动态码或恢复码。`,
  STEP_UP_REQUIRED: row`403 fix
    The account has a second factor, and this session has not confirmed it in the last 15 minutes. | 该账号已开启两步验证，当前会话在过去 15 分钟内未验证。
    Confirm it with POST /v1/console/second-factor/prove, then send the request again. | 先通过 POST /v1/console/second-factor/prove 验证，再重新发送请求。
    Confirm your identity before you make this change. | 请先验证身份再进行修改。`,
  SECOND_FACTOR_EXISTS: row`409 fix
    One-time codes are already set up. | 已绑定身份验证器。
    Remove them before you set them up again. | 先移除，再重新绑定。
    An authenticator app is already set up. Remove it first to set up another. | 已绑定身份验证器，请先移除再重新绑定。`,
  SECOND_FACTOR_NOT_SET_UP: row`409 fix
    The account has no such second factor, or its setup is older than 15 minutes. | 该账号未绑定该验证方式，或绑定已超过 15 分钟。
    Start the setup again. | 重新开始绑定。
    This setup is no longer valid. Start again. | 绑定已失效，请重新开始。`,
  PASSKEY_FAILED: row`400 fix
    The passkey was not accepted: it is not registered here, its signature is wrong, or the request took longer than 5 minutes. | 通行密钥验证失败：未在本站注册、签名错误，或已超过 5 分钟。
    Start again with a passkey of this account. | 使用本账号的通行密钥重新开始。
    This passkey was not accepted. Try again, or sign in another way. | 通行密钥验证失败，请重试或换一种方式登录。`,
  PASSKEY_NOT_FOUND: row`404 fix
    The account has no such passkey. | 该账号没有该通行密钥。
    List the passkeys first. | 先查询通行密钥列表。
    This passkey has already been removed. Reload the page. | 该通行密钥已移除，请刷新页面。`,
  PASSKEY_LIMIT_REACHED: row`409 fix
    The account has reached its passkey limit. | 该账号的通行密钥数量已达上限。
    Remove one first. | 先移除一个。
    You have reached the passkey limit. Remove one first. | 通行密钥数量已达上限，请先移除一个。`,
  ACCOUNT_ALREADY_EXISTS: row`409 fix
    This phone already has an account. | 该手机号已注册。
    Log in instead. | 直接登录。
    This phone number already has an account. Sign in instead. | 该手机号已注册，请直接登录。`,
  ACCOUNT_UNAVAILABLE: row`409 never
    The request conflicts with another account. | 与另一个账号冲突。
    Try logging in; if that fails, request a new code. | 先尝试登录；不成功再获取新的验证码。
    The account could not be created. Try signing in, or request a new code. | 账号创建失败，请先尝试登录，或重新获取验证码。`,
  VERIFICATION_CONFLICT: row`409 fix
    This verification is already complete. | 该验证已经完成。
    Try logging in before you request a new code. | 先尝试登录，不成功再获取新的验证码。
    This code has already been used. Try signing in first. | 该验证码已使用过，请先尝试登录。`,
  PASSWORD_STATE_INVALID: row`500 never
    The stored password digest is invalid. | 保存的密码数据无效。
    Stop retrying and contact the operator. | 停止重试，联系运营方。
    Your password cannot be checked. Contact the operator. | 密码无法校验，请联系运营方。`,
  SMS_DELIVERY_UNAVAILABLE: row`503 fix
    The message could not be delivered. | 短信未能发出。
    Request a new code later. | 稍后重新获取验证码。
    The message could not be sent. Try again later. | 短信发送失败，请稍后重试。`,
  EMAIL_DELIVERY_UNAVAILABLE: row`503 never
    This service does not send email. | 本服务未开通邮件发送。
    Do not retry; contact the operator. | 不要重试，联系运营方。
    This service does not send email. Contact the operator. | 本服务未开通邮件发送，请联系运营方。`,

  // Keys
  INVALID_SCOPE: row`400 fix
    The scopes are empty, repeated, of the wrong type or not allowed. | 权限列表为空、重复、类型错误或含有不允许的权限。
    Send a non-empty list of distinct known scopes. | 发送非空且不重复的已知权限。
    Select at least one permission. | 请至少选择一项权限。`,
  INVALID_NAME: row`400 fix
    The name does not have 1 to 64 characters, or has a control or invisible character. | 名称不是 1 到 64 个字符，或含有控制字符、不可见字符。
    Correct the name. | 修正名称。
    Enter a name of 1 to 64 characters, without control or invisible characters. | 请输入 1 到 64 个字符的名称，不含控制字符或不可见字符。`,
  INVALID_EXPIRY: row`400 fix
    The expiry is not in the future, or is later than allowed. | 到期时间早于当前时间，或超过了允许的期限。
    Correct the time. | 修正时间。
    Choose a time in the future. Your operator may limit how long a key stays valid. | 请选择晚于当前的时间；运营方可能限制了密钥的有效期。`,
  INVALID_BUDGET: row`400 fix
    The budget is not at least 1 credit per day, per month or in total. | 预算须为每日、每月或总计至少 1 点。
    Send credits and per, or null for no budget. | 发送 credits 和 per；不限预算时发送 null。
    Enter a budget of 1 credit or more. | 预算至少为 1 点。`,
  INVALID_ADDRESSES: row`400 fix
    The allowed addresses are not a list of at most 20 IP addresses or CIDR ranges. | IP 白名单须为 IP 地址或 CIDR 网段的列表，最多 20 个。
    Correct the list, or send null to allow any address. | 修正列表；不限地址时发送 null。
    Enter up to 20 IP addresses or CIDR ranges. | 请输入最多 20 个 IP 地址或 CIDR 网段。`,
  INVALID_GRACE: row`400 fix
    The grace period is not a number of seconds from 0 to 604800. | 宽限期须为 0 到 604800 之间的秒数。
    Correct the number. | 修正秒数。
    Choose a grace period of up to 7 days. | 宽限期最长 7 天。`,
  KEY_NOT_FOUND: row`404 fix
    There is no such key in this project. | 项目中没有该密钥。
    List the keys first. | 先查询密钥列表。
    This key is not in your project. Reload the list. | 项目中没有该密钥，请刷新列表。`,

  // Alerts
  INVALID_THRESHOLD: row`400 fix
    The threshold is not a whole number of credits, 1 or more. | 阈值须为不小于 1 的整数点数。
    Correct the number, or send null for no threshold. | 修正点数；不设阈值时发送 null。
    Enter a whole number of credits, 1 or more. | 请输入不小于 1 的整数点数。`,
  INVALID_ALERT_TYPES: row`400 fix
    The email or SMS types have duplicates or unknown event types. | 邮件或短信的事件类型有重复或未知。
    Send lists of distinct known types; an empty list sends nothing. | 发送不重复的已知类型；空列表表示不发送提醒。
    One of the chosen alerts is unknown. Reload the page and try again. | 所选的提醒类型有误，请刷新页面后重试。`,

  // Webhooks
  INVALID_URL: row`400 fix
    The URL is not an allowed https address on port 443 or above 1023. | URL 须为允许的 https 地址，端口为 443 或大于 1023。
    Send a public https URL without username, password or fragment. | 使用公网 https 地址，不带用户名、密码和锚点。
    Enter a public https URL on port 443 or above 1023, without username, password or fragment. | 请输入公网 https 地址，端口须为 443 或大于 1023，不能带用户名、密码或锚点。`,
  INVALID_EVENT_TYPES: row`400 fix
    The list of types is empty, or has duplicates or unknown event types. | 事件类型为空、重复或未知。
    Send a non-empty list of distinct known types. | 发送不重复的已知类型，至少一个。
    Choose at least one event. | 请至少选择一个事件。`,
  INVALID_STATE: row`400 fix
    The state is neither enabled nor disabled. | 状态既不是 enabled 也不是 disabled。
    Correct the state. | 修正状态。
    The webhook can only be enabled or disabled. | 只能启用或停用 Webhook。`,
  WEBHOOK_LIMIT_REACHED: row`409 fix
    The project has reached its webhook limit. | 项目的 Webhook 数量已达上限。
    Delete one first. | 先删除一个。
    Your project has reached its webhook limit. Delete one first. | Webhook 数量已达上限，请先删除一个。`,
  WEBHOOK_NOT_FOUND: row`404 fix
    There is no such webhook in this project. | 项目中没有该 Webhook。
    List the webhooks first. | 先查询 Webhook 列表。
    This webhook is not in your project. Reload the list. | 项目中没有该 Webhook，请刷新列表。`,
  WEBHOOK_DISABLED: row`409 fix
    The webhook is disabled. | Webhook 已停用。
    Enable it first. | 先启用。
    The webhook is disabled. Enable it first. | Webhook 已停用，请先启用。`,
  WEBHOOK_TESTS_WAITING: row`409 fix
    Three tests of this webhook are still waiting to be sent. | 该 Webhook 还有 3 个测试事件未发送。
    Wait until they are sent; each takes at most 10 seconds. | 等待发送完成，每个最多 10 秒。
    Three tests are still waiting to be sent. Try again in a few seconds. | 还有 3 个测试事件未发送，请稍后再试。`,
  DELIVERY_NOT_FOUND: row`404 fix
    This webhook has no such delivery. Only the last 50 are kept. | 该 Webhook 没有这条推送记录，只保留最近 50 条。
    List the deliveries first. | 先查询推送记录。
    This delivery is no longer kept. | 该推送记录已不再保留。`,

  // Recharge
  RECHARGE_AMOUNT_INVALID: row`400 fix
    The amount is not a multiple of 100 fen between 100 and 1000000. | 金额须为 100 到 1000000 分，且为 100 分的整数倍。
    Correct the amount. | 修正金额。
    Enter a whole amount from ¥1 to ¥10,000. | 请输入 1 到 10,000 元的整数金额。`,
  SIMULATED_PAYMENT_DISABLED: row`404 never
    Simulated payment is disabled here. | 当前环境未开启模拟支付。
    Do not retry. | 不要重试。
    Simulated payments are turned off. Ask your operator for credits. | 未开启模拟支付，请联系运营方获取点数。`,
  PAYMENT_METHOD_INVALID: row`400 fix
    This payment method is not available. | 不支持该支付方式。
    Choose one of the methods in /v1/console/payment-methods. | 从 /v1/console/payment-methods 中选择。
    This payment method is not available. Choose another one. | 暂不支持该支付方式，请换一种。`,
  TOO_MANY_OPEN_PAYMENTS: row`409 fix
    The project has too many payments that are not paid yet. | 该项目未支付的付款过多。
    Pay or cancel one of them, or wait until one expires. | 支付或取消其中一笔，或等待其过期。
    You have too many unpaid payments. Pay or cancel one of them first. | 未支付的付款过多，请先支付或取消其中一笔。`,
  PAYMENT_NOT_FOUND: row`404 fix
    There is no such payment in this project. | 项目中没有该付款。
    Check the payment id. | 检查付款编号。
    This payment is not in your project. Check the list of payments. | 项目中没有该付款，请查看付款记录。`,
  PAYMENT_NOT_CANCELLABLE: row`409 never
    The payment has been made, or is in review. | 该付款已完成或在核对中。
    Read the payment; do not pay again. | 查询该付款的状态；不要重复支付。
    This payment has already been made. Do not pay again. | 该付款已完成，请勿重复支付。`,
  ORDER_NOT_FOUND: row`404 fix
    There is no such order in this project. | 项目中没有该订单。
    Check the order id. | 检查订单号。
    This order is not in your project. Check the list of orders. | 项目中没有该订单，请查看充值记录。`,
  ORDER_NOT_PAYABLE: row`409 never
    The order cannot be confirmed in its current state. | 订单当前状态无法确认支付。
    Read /v1/me; never pay again. | 通过 /v1/me 查询状态；不要重复支付。
    This order was paid or cancelled, or has expired. Check its status before you pay again. | 订单已支付、已取消或已过期，请先查看状态，请勿重复支付。`,
  ORDER_CONFIRM_CONFLICT: row`409 never
    Another confirmation of this order is in progress. | 该订单正在确认中。
    Read /v1/me; never pay again. | 通过 /v1/me 查询状态；不要重复支付。
    This order is being paid right now. Check its status; do not pay again. | 订单正在支付中，请查看状态，请勿重复支付。`,
  ORDER_CREDIT_CONFLICT: row`409 never
    The credit of this order conflicts with the recorded one. | 订单的入账与已有记录冲突。
    Reconcile through /v1/me; never pay again. | 通过 /v1/me 核对；不要重复支付。
    This order does not match the ledger. Do not pay again, and contact the operator. | 订单与账目不符，请勿重复支付，并联系运营方。`,
} as const
