/** Electronics and sport first. Lines as in shop-a.ts. */
export const shopB = `
b-2001 | 真无线蓝牙耳机 主动降噪 | 39900 | available | 降噪 48dB、续航 36 小时、双设备连接 | 无线耳机 earbuds earphone headphone bluetooth wireless
b-2002 | 头戴式蓝牙耳机 Lite | 25900 | available | 佩戴轻盈、可折叠、有线无线两用 | 无线耳机 headphone headset bluetooth wireless
b-2003 | 有线入耳式耳机 3.5mm | 3900 | available | 线控麦克风 | earphone earbuds wired
b-2004 | 便携蓝牙音箱 防水 | 19900 | available | IPX7 防水、12 小时续航 | 音响 speaker bluetooth portable
b-2005 | 机械键盘 87 键 红轴 | 29900 | available | 热插拔、三模连接、PBT 键帽 | 电脑 外设 mechanical keyboard computer
b-2006 | 无线鼠标 静音 | 7900 | available | 2.4G 与蓝牙双模、可充电 | 电脑 外设 wireless mouse computer
b-2007 | 27 英寸 4K 显示器 | 169900 | available | 出厂校色、USB-C 65W、可升降 | 电脑 屏幕 monitor display screen
b-2008 | 轻薄笔记本电脑 14 英寸 | 549900 | available | 16GB 内存、1TB 固态、1.2kg | 电脑 laptop notebook computer
b-2009 | 高性能笔记本电脑 16 英寸 Plus | 998000 | unknown | 32GB 内存、独立显卡、高刷屏 | 电脑 游戏本 laptop gaming notebook computer
b-2010 | 智能手机 256GB 曜石黑 | 329900 | available | 5000mAh、三摄影像、快充 | 手机 电话 phone smartphone mobile
b-2011 | 智能手机 128GB 入门款 | 119900 | available | 大音量、长续航 | 手机 电话 老人 phone smartphone mobile
b-2012 | 手机壳 透明防摔 | 2900 | available | 四角气囊 | 保护套 phone case
b-2013 | 氮化镓充电器 65W 三口 | 12900 | available | 折叠插脚、USB-C 与 USB-A | 充电头 快充 charger usb
b-2014 | 移动电源 20000mAh | 14900 | available | 可上飞机、数显电量 | 充电宝 power bank charger
b-2015 | USB-C 数据线 1 米 两条装 | 1990 | available | 编织线身、60W | 充电线 usb cable
b-2016 | 运动手表 GPS | 89900 | available | 双频定位、14 天续航、50 米防水 | 智能手表 smart watch sport running
b-2017 | 智能手环 Mini | 19900 | unavailable | 血氧监测、睡眠记录 | 运动 smart band fitness
b-2018 | 缓震跑步鞋 男款 | 45900 | available | 轻量中底、透气鞋面 | 运动鞋 鞋子 running shoes sneakers
b-2019 | 缓震跑步鞋 女款 | 45900 | available | 轻量中底、夜间反光 | 运动鞋 鞋子 running shoes sneakers
b-2020 | 加厚瑜伽垫 183cm | 8900 | available | 双面防滑、附背带 | 健身 运动 yoga mat fitness
b-2021 | 可调节哑铃 20kg | 35900 | unknown | 快速换重、收纳底座 | 健身 运动 dumbbell fitness
b-2022 | 四人露营帐篷 自动速开 | 59900 | available | 防雨 3000mm、附地垫 | 户外 camping tent outdoor
b-2023 | 双肩电脑包 15.6 英寸 | 15900 | available | 防泼水、独立电脑仓 | 背包 书包 backpack bag laptop
b-2024 | 测试样品 演示商品 B | 200 | unknown | 本地样品 | 商品 示例 test sample demo product item
b-2044 | 便携保温杯 350ml | 3900 | available | 304 不锈钢、防漏杯盖 | 水杯 杯子 thermos cup bottle mug
`
