//! Simple sentences and settings with a value in each, made of tables: what every language says in the same way.
//!
//! Texts of people show few of the ways in which a name, a verb and a value can meet. These are learned from beside
//! them, with less weight, and measure nothing.

use super::Text;

/// The words of one language: passwords, numbers that are secret, keys, "for", places, locked things, "is", names of
/// numbers that are no secret, what is said of a password without giving one.
struct Language {
    passwords: &'static [&'static str],
    pins: &'static [&'static str],
    keys: &'static [&'static str],
    of: &'static str,
    places: &'static [&'static str],
    locks: &'static [&'static str],
    is: &'static str,
    mine: &'static str,
    public: &'static [&'static str],
    talk: &'static [&'static str],
}

macro_rules! language {
    ($passwords:expr, $pins:expr, $keys:expr, $of:expr, $places:expr, $locks:expr, $is:expr, $mine:expr, $public:expr, $talk:expr) => {
        Language {
            passwords: &$passwords, pins: &$pins, keys: &$keys, of: $of, places: &$places, locks: &$locks, is: $is,
            mine: $mine, public: &$public, talk: &$talk,
        }
    };
}

#[rustfmt::skip]
const LANGUAGES: &[Language] = &[
    language!(["password", "pw", "the password", "passphrase", "pass", "login password"], ["PIN", "door code", "alarm code", "one-time code", "combination", "access code"], ["API key", "access token", "client secret", "license key", "wifi key"], "for", ["the wifi", "the router", "email", "the server", "netflix", "the old laptop"], ["the gate", "the garage", "the safe", "the shed", "my card"], "is", "my", ["order number", "invoice", "room", "flight", "error code", "version", "model", "ticket", "ref", "article", "bus", "page", "build", "serial number", "case"], ["expired", "too short", "the one we discussed", "in the vault", "required", "case-sensitive", "stored elsewhere", "not working since monday", "being changed next week", "on the sticker"]),
    language!(["Passwort", "das Passwort", "Kennwort", "PW", "Passphrase"], ["PIN", "Türcode", "Alarmcode", "Zugangscode", "TAN"], ["API-Schlüssel", "Token", "Netzwerkschlüssel"], "für", ["das WLAN", "den Router", "den Server", "die Mail"], ["die Garage", "den Tresor", "das Tor", "die Karte"], "ist", "mein", ["Bestellnummer", "Rechnung", "Zimmer", "Gleis", "Fehlercode", "Artikel", "Kundennummer", "Vorgang", "Modell"], ["abgelaufen", "zu kurz", "im Tresor", "falsch", "nicht mehr gültig", "wie immer", "beim Chef hinterlegt"]),
    language!(["wachtwoord", "het wachtwoord", "ww"], ["pincode", "deurcode", "toegangscode", "alarmcode"], ["API-sleutel", "toegangstoken"], "van", ["de wifi", "de router", "de server"], ["de poort", "de kluis", "de schuur"], "is", "mijn", ["ordernummer", "factuur", "kamer", "spoor", "foutcode", "klantnummer", "artikel"], ["verlopen", "te kort", "veranderd", "hetzelfde als vroeger", "bij de receptie bekend"]),
    language!(["mot de passe", "le mot de passe", "mdp"], ["code PIN", "digicode", "code de l'alarme", "code de la porte", "code"], ["clé API", "jeton", "clé wifi"], "de", ["la box", "la messagerie", "serveur"], ["la porte", "coffre", "portail", "ma carte"], "est", "mon", ["commande", "facture", "chambre", "vol", "code postal", "erreur", "dossier", "référence"], ["expiré", "trop court", "oublié", "dans le coffre", "le même qu'avant"]),
    language!(["contraseña", "la contraseña", "clave", "la clave"], ["PIN", "código de la puerta", "código de la alarma", "código"], ["clave de API", "token", "clave wifi"], "de", ["la wifi", "del router", "correo"], ["la puerta", "la caja fuerte", "garaje"], "es", "mi", ["pedido", "factura", "habitación", "vuelo", "código postal", "error", "referencia", "expediente"], ["incorrecta", "muy corta", "caducada", "la de siempre", "secreta para todos"]),
    language!(["senha", "a senha", "palavra-passe"], ["PIN", "código do alarme", "código da porta", "código"], ["chave de API", "token"], "de", ["o wifi", "o roteador", "o email"], ["o portão", "o cofre", "a garagem"], "é", "minha", ["pedido", "fatura", "quarto", "voo", "CEP", "erro", "protocolo"], ["inválida", "muito curta", "a de sempre", "trocada todo mês"]),
    language!(["password", "la password", "parola d'ordine"], ["PIN", "codice della porta", "codice dell'allarme", "codice"], ["chiave API", "token", "chiave di rete"], "di", ["wifi", "router", "posta"], ["cancello", "cassaforte", "garage"], "è", "mia", ["ordine", "fattura", "camera", "volo", "codice postale", "errore", "pratica"], ["scaduta", "troppo corta", "sbagliata", "quella di sempre"]),
    language!(["hasło", "moje hasło"], ["PIN", "kod do bramy", "kod do drzwi", "kod"], ["klucz API", "token"], "do", ["wifi", "routera", "poczty"], ["bramy", "sejfu", "garażu"], "to", "moje", ["zamówienie", "faktura", "pokój", "numer", "błąd", "linia"], ["za krótkie", "nieprawidłowe", "takie jak zawsze", "zapisane u szefa"]),
    language!(["пароль", "мой пароль"], ["пин", "код домофона", "код от двери", "код"], ["ключ API", "токен"], "от", ["вайфая", "роутера", "почты"], ["калитки", "сейфа", "гаража"], "это", "мой", ["заказ", "счёт-фактура", "комната", "рейс", "ошибка", "артикул", "индекс"], ["неверный", "слишком короткий", "у начальника", "тот же"]),
    language!(["şifre", "wifi şifresi", "parola"], ["PIN", "kapı kodu", "alarm kodu"], ["API anahtarı", "token"], "için", ["modem", "posta", "sunucu"], ["kapı", "kasa", "garaj"], "şu", "benim", ["sipariş", "fatura", "oda", "hata kodu", "müşteri no"], ["yanlış", "çok kısa", "değişti", "eskisiyle aynı"]),
    language!(["密码", "口令", "登录密码"], ["门禁密码", "验证码", "取件码", "开门密码"], ["密钥", "令牌"], "", ["路由器", "邮箱", "后台"], ["大门", "保险箱", "车库"], "是", "我的", ["订单号", "发票", "房间", "航班", "错误代码", "版本"], ["错误", "什么", "过期了", "忘了"]),
    language!(["パスワード", "パス"], ["暗証番号", "認証コード", "解錠コード"], ["APIキー", "トークン"], "の", ["ルーター", "メール", "サーバー"], ["玄関", "金庫", "倉庫"], "は", "私の", ["注文番号", "請求書", "部屋", "便名", "エラーコード", "型番"], ["間違い", "忘れました", "期限切れ"]),
    language!(["비밀번호", "비번"], ["인증번호", "출입코드", "현관 비번"], ["API 키", "토큰"], "", ["와이파이", "공유기", "메일"], ["현관", "금고", "창고"], "는", "내", ["주문번호", "송장", "호실", "항공편", "오류코드", "모델"], ["틀렸어요", "만료", "바꾸세요"]),
    language!(["lösenord", "mitt lösenord"], ["portkod", "PIN", "larmkod"], ["API-nyckel", "token"], "till", ["wifi", "routern", "mejlen"], ["porten", "kassaskåpet"], "är", "mitt", ["ordernr", "faktura", "rum", "felkod"], ["för kort", "fel", "samma som förut"]),
    language!(["heslo", "moje heslo"], ["PIN", "kód ke dveřím"], ["klíč", "token"], "k", ["wifi", "routeru", "mailu"], ["bráně", "sejfu"], "je", "moje", ["objednávka", "faktura", "pokoj", "chyba"], ["špatné", "krátké", "stejné"]),
];

/// Names of the numbers of accounts.
const ACCOUNTS: [&str; 14] = [
    "account number", "acc no", "Kontonummer", "rekeningnummer", "numéro de compte", "número de cuenta", "conta corrente",
    "numero di conto", "numer konta", "р/с", "номер счёта", "hesap no", "银行账号", "口座番号",
];

/// Numbers in a fixed order that looks like none.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.roll(of.len())]
    }

    fn many(&mut self, of: &str, count: usize) -> String {
        let of: Vec<char> = of.chars().collect();
        (0..count).map(|_| of[self.roll(of.len())]).collect()
    }

    fn word(&mut self) -> String {
        let syllables = 2 + self.roll(3);
        (0..syllables).map(|_| {
            let end = if self.roll(3) == 0 { "nrlst" } else { "" };
            let end = if end.is_empty() { String::new() } else { self.many(end, 1) };
            format!("{}{}{end}", self.many("bcdfghklmnprstvwz", 1), self.many("aeiou", 1))
        }).collect()
    }

    fn title(&mut self) -> String {
        let word = self.word();
        word[..1].to_uppercase() + &word[1..]
    }

    fn words(&mut self, joint: &str) -> String {
        let count = 2 + self.roll(3);
        let is_title = self.roll(3) == 0;
        (0..count).map(|_| if is_title { self.title() } else { self.word() }).collect::<Vec<_>>().join(joint)
    }

    fn digits(&mut self) -> String {
        let count = [4, 4, 4, 5, 6, 6, 8][self.roll(7)];
        self.many("0123456789", count)
    }

    fn password(&mut self) -> String {
        const SIGNS: &str = "!#$%&*+@_-.";
        match self.roll(9) {
            0 => self.word(),
            1 => self.title() + "!",
            2 => self.words("-"),
            3 => self.words("."),
            4 => format!("{}{}", self.word(), self.roll(2100)),
            5 => format!("{}{}{}{}", self.title(), self.many(SIGNS, 1), self.word(), self.roll(100)),
            6 => format!("{}{}{}", self.title(), self.many(SIGNS, 1), self.roll(3000)),
            7 => self.words("_"),
            _ => self.many("abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", 10),
        }
    }

    fn key(&mut self) -> String {
        let count = 20 + self.roll(24);
        match self.roll(3) {
            0 => self.many("0123456789abcdef", 32),
            1 => self.many("abcdefghijklmnopqrstuvwxyz0123456789", count),
            _ => self.many("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", count),
        }
    }

    fn serial(&mut self) -> String {
        match self.roll(4) {
            0 => self.many("ABCDEFGHKLMNPRSTUVWX", 2) + &self.many("0123456789", 5),
            1 => self.digits(),
            2 => format!("{}-{}", self.many("ABCDEFGHK", 2), self.digits()),
            _ => self.many("0123456789", 9),
        }
    }
}

/// Returns so many texts with a secret, and as many without.
pub(super) fn texts(count: usize) -> Vec<Text> {
    let mut dice = Dice(42);
    (0..count).flat_map(|_| [with_secret(&mut dice), without(&mut dice)]).collect()
}

fn text(text: String, secrets: Vec<String>) -> Text {
    Text { text, secrets, lang: String::new(), kind: String::new() }
}

/// What follows a value.
fn rest(dice: &mut Dice) -> String {
    match dice.roll(6) {
        0 => ".".to_owned(),
        1 => format!(", {} {}", dice.word(), dice.word()),
        2 => format!(" {} {} {}", dice.word(), dice.word(), dice.word()),
        3 => format!(". {} {} {}.", dice.title(), dice.word(), dice.word()),
        4 => format!("\n{} {}", dice.word(), dice.word()),
        _ => String::new(),
    }
}

fn with_secret(dice: &mut Dice) -> Text {
    let language = &LANGUAGES[dice.roll(LANGUAGES.len())];
    let is_phrase = dice.roll(10) == 0;
    let (names, places, value) = match dice.roll(6) {
        0 | 1 => (language.pins, language.locks, dice.digits()),
        2 => (language.keys, language.places, dice.key()),
        _ if is_phrase => (language.passwords, language.places, dice.words(" ") + " " + &dice.words(" ")),
        _ => (language.passwords, language.places, dice.password()),
    };
    if dice.roll(14) == 0 {
        let (name, joint) = (dice.one(&ACCOUNTS), dice.one(&[": ", " ", " - "]));
        let count = 8 + dice.roll(13);
        let value = dice.many("0123456789", count);
        return text(format!("{} {name}{joint}{value}{}", dice.word(), rest(dice)), vec![value]);
    }
    let (name, place, is) = (dice.one(names), dice.one(places), language.is);
    let of = language.of;
    let before = if dice.roll(2) == 0 { String::new() } else { format!("{} {}, ", dice.word(), dice.word()) };
    let mut after = rest(dice);
    if value.contains(' ') && after.starts_with(' ') {
        after = String::new();
    }
    let setting = ["DB_PASSWORD", "SMTP_PASS", "password", "secret_key", "apiToken", "db.password", "ADMIN_PIN", "auth_token"];
    let text_of = match dice.roll(15) {
        12 if !value.contains(' ') => format!("{before}{place}: {} / {value}{after}", dice.word()),
        13 if !value.contains(' ') => format!("site,user,{name}\n{},{},{value}\n", dice.word(), dice.word()),
        14 => format!("| {} | {name} |\n|---|---|\n| {} | {value} |", dice.word(), dice.word()),
        0 | 1 => format!("{before}{name}: {value}{after}"),
        2 if !value.contains(' ') => format!("{before}{name} {value}{after}"),
        2 | 3 => format!("{before}{name} {is} {value}{after}"),
        4 => format!("{before}{name} {of} {place} {is} {value}{after}"),
        5 => format!("{before}{name} {of} {place}: {value}{after}"),
        6 if !value.contains(' ') => format!("{value} {is} {} {name} {of} {place}{after}", language.mine),
        6 | 7 => format!("{before}{place} {name} {is} \"{value}\"{after}"),
        8 => format!("{} = \"{value}\"\n{} = {}", dice.one(&setting), dice.word(), dice.word()),
        9 => format!("{}: {value}\n{}: {}", dice.one(&setting[2..6]), dice.word(), dice.word()),
        10 => format!("{{\"{}\":\"{}\",\"{}\":\"{value}\"}}", dice.word(), dice.word(), dice.one(&setting)),
        _ if value.contains(' ') => format!("{name}: {value}"),
        _ => format!("{}={value} {} {}", dice.one(&setting), dice.word(), dice.word()),
    };
    text(text_of, vec![value])
}

fn without(dice: &mut Dice) -> Text {
    let language = &LANGUAGES[dice.roll(LANGUAGES.len())];
    let (public, is, of) = (dice.one(language.public), language.is, language.of);
    let (password, pin) = (dice.one(language.passwords), dice.one(language.pins));
    let (talk, place) = (dice.one(language.talk), dice.one(language.places));
    let (value, after) = (dice.serial(), rest(dice));
    let before = if dice.roll(2) == 0 { String::new() } else { format!("{} {}, ", dice.word(), dice.word()) };
    let of_text = match dice.roll(12) {
        0 => format!("{before}{public} {value}{after}"),
        1 => format!("{before}{public}: {value}{after}"),
        2 => format!("{before}{public} {is} {value}{after}"),
        3 => format!("{before}{} {value}{after}", dice.word()),
        4 => format!("{before}{password} {is} {talk}{after}"),
        5 => format!("{before}{password} {of} {place} {is} {talk}{after}"),
        6 => format!("{before}{pin} {of} {place} {is} {talk}{after}"),
        7 => format!("{before}{password} {talk}, {public} {value}{after}"),
        8 => format!("{}: {value}\n{}: {}", dice.word(), dice.word(), dice.serial()),
        9 => format!("{} {} {}. {password}? {} {}{after}", dice.title(), dice.word(), dice.word(), dice.title(), dice.word()),
        10 => format!("{{\"{}\":\"{value}\",\"{}\":\"{}\"}}", dice.word(), dice.word(), dice.word()),
        _ => format!("{before}{place} {} {} {} {value}{after}", dice.word(), public, dice.word()),
    };
    text(of_text, Vec::new())
}
