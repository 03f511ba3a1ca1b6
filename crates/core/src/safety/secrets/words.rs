//! Purpose: the words by which people name a secret, and the words around it, one table a language.
//!
//! An entry is a small pattern: a space stands for any white space, `_` or `-`; `*` at either end lets letters follow
//! or precede (compounds, inflections). Upper and lower case are the same.

/// The words of one language.
pub(super) struct Language {
    /// What a password is called.
    pub(super) password: &'static [&'static str],
    /// What a password of several words is called.
    pub(super) phrase: &'static [&'static str],
    /// What a number is called that is a secret by its name: a PIN, a door code, a one-time code.
    pub(super) pin: &'static [&'static str],
    /// What a number is called that may be a secret.
    pub(super) code: &'static [&'static str],
    /// What a key or a token is called.
    pub(super) key: &'static [&'static str],
    /// What the words or codes that restore an account or a wallet are called.
    pub(super) recovery: &'static [&'static str],
    /// What the number of a bank account is called.
    pub(super) account: &'static [&'static str],
    /// Things that are locked, by a code perhaps.
    pub(super) lock: &'static [&'static str],
    /// What one does with a code: enter, dial, unlock.
    pub(super) open: &'static [&'static str],
    /// What a one-time code is for, and by which way it comes.
    pub(super) proof: &'static [&'static str],
    /// What says who logs in, and where.
    pub(super) login: &'static [&'static str],
    /// Words that say that one thing took the place of another.
    pub(super) change: &'static [&'static str],
    /// What a number or a code belongs to that is no secret.
    pub(super) public: &'static [&'static str],
    /// What stands between a name and its value.
    pub(super) is: &'static [&'static str],
    /// Words after a name and `is` that describe a secret, or are too common to be one.
    pub(super) common: &'static str,
    /// The digits from 0 to 9, and words like "double".
    pub(super) digits: &'static str,
}

/// All languages.
pub(super) const LANGUAGES: &[Language] = &[
    ENGLISH, GERMAN, DUTCH, FRENCH, SPANISH, PORTUGUESE, ITALIAN, POLISH, RUSSIAN, TURKISH, CHINESE,
    JAPANESE, KOREAN, OTHERS,
];

#[rustfmt::skip]
const ENGLISH: Language = Language {
    password: &[
        "pas+w[or]{0,4}ds?", "passwd", "pass code", "passcode", "pw", "pwd", "pass", "creds?", "credentials?", "psk",
        "log ?in details",
    ],
    phrase: &["pass ?phrase", "safe ?word", "code ?word", "secret word", "pass word phrase"],
    pin: &[
        "pins?", "pin ?[12]", "pin (?:code|number)", "puk", "cv[vc]2?", "otp",
        "one time (?:code|pass ?code|password)", "combination", "combo",
        "(?:door|gate|alarm|entry|access|security|unlock|safe|keypad|lock|verification|confirmation|pick ?up|disarm|storage|building|garage|sms|voicemail|parental|house|lockbox|key ?safe|key ?box|login|sign in|auth|2fa|mfa|authentication|panic|duress|entrance|front door|back door|office|locker|reset|backup|recovery|wifi|wi fi|transfer) (?:pin|codes?)",
        "bitlocker", "token code", "tan",
    ],
    code: &["codes?", "number on the back"],
    key: &[
        "(?:api|app|secret|access|auth|client|private|refresh|encryption|signing|master|licen[sc]e|deploy|service|account|recovery|network|wpa2?|wifi|wi fi|wireless|security|shared|product|activation|setup|unseal|webhook|bot|session|deploy|hmac|jwt)[ _-](?:keys?|tokens?|secrets?)",
        "apikey", "tokens?", "secret", "pat", "private key", "endpoint secret", "unseal", "keys?",
    ],
    recovery: &[
        "(?:recovery|seed|backup|mnemonic|restore|wallet) (?:phrase|words?|codes?|keys?)",
        "secret (?:phrase|words|codes)", "seed", "mnemonic", "wallet", "ledger", "metamask", "trezor", "bitcoins?",
        "crypto", "scratch codes?", "emergency codes?", "12 words", "24 words",
    ],
    account: &["account (?:number|no|nr)", "acct", "sort code", "routing number", "bank account"],
    lock: &[
        "doors?", "gates?", "garage", "safe", "lock", "padlock", "locker", "alarm", "key ?box", "key ?safe",
        "lockbox", "keypad", "entrance", "voicemail", "shed", "storage unit", "unlock[a-z]*", "phone", "tablet",
        "ipad", "laptop", "suitcase", "control panel", "bike lock",
    ],
    open: &[
        "opens?", "unlocks?", "dial", "enter", "type", "press", "punch in", "key in", "use", "put", "disarm", "set",
    ],
    proof: &[
        "confirm", "verif[a-z]*", "sms", "text", "texted", "whatsapp", "one time", "authori[sz]e", "bank", "2fa",
        "mfa", "sent me", "two factor", "security code", "steam guard", "paypal", "google", "transaction", "transfer",
    ],
    login: &[
        "log ?ins?", "users?", "user ?names?", "sign in", "wifi", "wi fi", "network", "ssid", "router", "account",
        "portal", "admin", "email is", "netflix", "spotify", "disney\\+?", "hulu", "hbo", "gmail", "facebook",
        "instagram", "insta", "amazon", "ebay", "paypal", "icloud", "apple id", "bank", "vpn", "dropbox", "deezer",
        "prime", "canal", "steam", "nas", "ftp", "ssh", "sudo", "root", "smtp", "passwords?",
    ],
    change: &[
        "changed", "reset", "rotated", "switched", "instead", "set (?:it|that) to", "new one", "updated",
        "everywhere", "for everything",
    ],
    public: &[
        "order", "invoice", "tracking", "parcel", "ticket", "flight", "train", "room", "seats?", "flat", "floor",
        "row", "promo", "discount", "coupon", "voucher code", "error", "http", "status", "exit", "version", "isbn",
        "model", "serial", "phone is", "tel", "postcode", "zip", "area", "country", "bus", "line", "gpio", "set",
        "page", "meeting", "ref", "reference", "case", "invoice", "reg", "plate", "platform", "coach", "terminal",
        "lotter[a-z]+", "numbers?", "build", "colou?r", "size", "id", "row", "port", "issue", "pr", "chip",
        "response", "dress", "source", "tag", "asset", "sku", "part", "customer", "vat", "currency", "diagnosis",
        "section", "chapter", "version", "commit", "sha", "md5", "hash", "checksum", "uuid", "request", "trace",
        "born", "birthday", "unit", "year", "since",
    ],
    is: &[
        "is", "was", "are", "be", "s", "reads", "remains", "stays", "equals", "to", "as", "with", "says?",
        "(?:is|has been|was|got) (?:now|currently|still|set to|changed to|literally|probably|just|simply)",
        "(?:re)?set to", "changed to", "it s", "its", "like", "now", "again",
    ],
    common: "a about accepted again all already also always an and any are as asked at authentication bad based be because been before being best better between both broken but by can case changed \
        check code compromised correct default different do does doesn't doesnt dont don't easy empty encrypted enough expire expired expires expiring fails failed fails field fine for forgotten found from generated \
        generator given going gone good had hard has hashed hashing have hidden hint how i if in incorrect input insecure into invalid is isn't isnt it its just kept known later leaked length like literally locked login \
        long longer lost lowercase managed manager managers mandatory masked may me missing must my needed needs never new next nice no none nope not nothing now null of off ok okay old on once one only optional or our out \
        over page pasted pattern please pls policy probably protected protection prompt random really redacted required requires reset resets right rotate rotated rules safe same saved secret secure securely security see sent set shared short \
        shorter should shows simple so some something somewhere still store stored storage strength string strong stupid such super sure than that the their them then there these they this those three to today token too two true \
        type typed types uncrackable unique unknown until up update updated upper uppercase us used user username using valid vault verification very visible was we weak were what when where whether which while why will with without won't wont working works \
        would write written wrong yes yesterday you your yours user's false closed open opened above below here after bound case-sensitive sensitive reader prompted ignored enabled disabled longer annoying crazy garbage awful ridiculous",
    digits: "zero oh nought one two three four five six seven eight nine double triple",
};

#[rustfmt::skip]
const GERMAN: Language = Language {
    password: &["*passwort", "*passwörter", "*kennwort", "*losungswort", "*pw", "*zugangsdaten", "*kennung"],
    phrase: &["*passphrase", "*passsatz", "*codewort", "*kennsatz", "*parole"],
    pin: &[
        "*pin", "*pin nummer", "*geheimzahl", "*geheimnummer", "*puk", "*prüfziffer", "*prüfnummer", "*tan",
        "*kombination", "*zahlenkombination",
        "*(?:tür|zugangs|sicherheits|alarm|haustür|tresor|bestätigungs|tor|garagen|entsperr|sperr|schloss|freischalt|einmal|verifizierungs|abhol|safe|keller|eingangs|zahlen|tastatur|schlüsselbox|schlüsseltresor|wlan)-?code",
        "*code nummer",
    ],
    code: &["*code", "*codes", "*ziffern", "*nummernfolge"],
    key: &[
        "*schlüssel", "*netzwerkschlüssel", "*token", "*api-?key", "*wlan-?schlüssel", "*sicherheitsschlüssel",
        "*wiederherstellungsschlüssel",
    ],
    recovery: &[
        "*wiederherstellungs[a-z]*", "*seed", "*notfallcodes?", "*backup-?codes?", "*wallet", "12 wörter",
        "24 wörter", "*merkwörter",
    ],
    account: &["*kontonummer", "*konto nr", "*bankverbindung"],
    lock: &[
        "*tür", "*tor", "*garage", "*tresor", "*safe", "*schloss", "*alarm", "*alarmanlage", "*schlüsselbox",
        "*schließfach", "*spind", "*handy", "*keller", "*eingang", "*koffer", "*mailbox", "*fahrradschloss",
        "entsperr[a-z]*",
    ],
    open: &[
        "aufgeht", "öffne[nt]?", "geht auf", "auf mit", "tippe?n?", "eintippe?n?", "eingeben", "gib", "drück[a-z]*",
        "entsperr[a-z]*", "wähle?", "stell[a-z]* auf", "aufsperr[a-z]*", "mit",
    ],
    proof: &[
        "bestätig[a-z]*", "sms", "überweisung", "freigabe", "freigeben", "verifizier[a-z]*", "einmal[a-z]*",
        "anmeld[a-z]*",
    ],
    login: &[
        "*benutzer", "*benutzername", "*nutzer", "*nutzername", "*anmeldung", "*wlan", "*konto", "*zugang", "*login",
        "*netz", "*netzwerk",
    ],
    change: &["geändert", "neu", "umgestellt", "überall", "gewechselt", "stattdessen"],
    public: &[
        "*rechnung", "*rechnungsnummer", "*bestellung", "*bestellnummer", "*auftrag", "*sendung", "*sendungsnummer",
        "*zimmer", "*raum", "*gleis", "*platz", "*wagen", "*hausnummer", "nr", "*nummer", "*postleitzahl", "plz",
        "*vorwahl", "*gutschein", "*rabatt", "*fehler", "*seite", "*artikel", "*artikelnummer", "*kundennummer",
        "*zähler", "*zählerstand", "telefon", "*telefonnummer", "*kennzeichen", "*aktenzeichen", "*quell", "*version",
    ],
    is: &[
        "ist", "war", "lautet", "heißt", "heisst", "wäre", "lauten",
        "(?:ist|lautet) (?:jetzt|ab jetzt|nun|immer noch|weiterhin)", "auf", "als", "jetzt", "sind",
        "geändert (?:auf|in|zu)",
    ],
    common: "abgelaufen aber alle alt am an auch auf aus bei bekannt bis bitte da das dass dein deine dem den der des die dies du ein eine einem einen einer einfach er erforderlich es falsch für geheim geht geändert gut gültig habe haben hat ich ihr im immer in ist ja jeder jetzt kann kein keine keiner kommt kurz lang leer man mein meine mindestens mir mit muss müssen nach neu neue neues nicht nie nimmer niemals natürlich noch notwendig nur oder okay richtig schon schwach sehr sein selbst sicher sie sind so steht und ungültig unsicher unter vergessen verloren vom von vor war weg wegen wenn werden wichtig wie wieder wird wirklich wo wurde zu zum zur zurücksetzen zurückgesetzt zwei ändern länger hinterlegt gespeichert notiert verschlüsselt dieselbe dasselbe gleiche",
    digits: "null eins zwei zwo drei vier fünf sechs sieben acht neun doppel",
};

#[rustfmt::skip]
const DUTCH: Language = Language {
    password: &["*wachtwoord", "*wachtwoorden", "*paswoord", "*inloggegevens", "ww"],
    phrase: &["*wachtzin", "*wachtwoordzin", "*codewoord"],
    pin: &[
        "*pincode",
        "*(?:toegangs|deur|alarm|poort|beveiligings|bevestigings|verificatie|kluis|slot|garage|sleutelkluis|ontgrendel|inlog|afhaal|voordeur|herstel|reserve)-?codes?",
        "*cijferslot", "*cijfercode", "*combinatie", "*toegangscode", "*geheime code", "pinnen",
    ],
    code: &["*code", "*codes", "*cijfers"],
    key: &[
        "*sleutel", "*wifi-?sleutel", "*netwerksleutel", "*beveiligingssleutel", "*herstelsleutel", "*toegangstoken",
    ],
    recovery: &[
        "*herstel(?:zin|woorden|codes?|sleutel)", "*noodcodes?", "12 woorden", "24 woorden", "*back-?upcodes?",
        "*reservecodes?",
    ],
    account: &["*rekeningnummer", "*bankrekening"],
    lock: &[
        "*deur", "*poort", "*poortje", "*kluis", "*kluisje", "*slot", "*alarm", "*voordeur", "*sleutelkastje",
        "*schuur", "*fietsslot", "*telefoon", "*hek", "*garage", "*hangslot", "*koffer", "*locker", "*sleutelkluis",
        "ontgrendel[a-z]*",
    ],
    open: &[
        "open", "opent", "openen", "gaat open", "toets", "tik", "typ", "intoetsen", "draai", "ontgrendel[a-z]*",
        "met", "vul",
    ],
    proof: &[
        "bevestig[a-z]*", "sms", "overschrijving", "overboeking", "verificatie", "inlogg[a-z]*", "eenmalig[a-z]*",
    ],
    login: &["*gebruiker", "*gebruikersnaam", "*inlog", "*inloggen", "*netwerk", "*wifi", "*account"],
    change: &["veranderd", "gewijzigd", "nieuw", "nieuwe", "overal", "aangepast"],
    public: &[
        "*factuur", "*factuurnummer", "*bestelling", "*bestelnummer", "*ordernummer", "*kamer", "*spoor", "*stoel",
        "*postcode", "*huisnummer", "*nummer", "*kortingscode", "*korting", "*foutcode", "*fout", "*pakket",
        "*zending", "*kenteken", "*klantnummer", "*meterstand", "tel", "*bladzijde", "*pagina", "*versie", "*artikel",
    ],
    is: &["is", "was", "luidt", "wordt", "werd", "is (?:nu|nog|nog steeds|gewoon)", "naar", "in", "als", "nu"],
    common: "aan al alle alleen als altijd andere bij dat de deze die dit door dus een en er erg ergens fout ge geen geheim gewijzigd gewoon goed heb hebben heeft het hetzelfde hier hij ik in is je jij juist kort kwijt lang langer leeg maar me mee meer met mijn minimaal moet moeten na naar niet nieuw nieuwe nodig nog nooit nu of om ongeldig onveilig ook op oud over resetten sterk te toch tot u uit van vast veilig veranderd veranderen vergeten verlopen verplicht versleuteld voor waar was wat weer wel wie wijzigen wordt zelfde zij zo zwak opgeslagen onthouden",
    digits: "nul een één twee drie vier vijf zes zeven acht negen dubbel",
};

#[rustfmt::skip]
const FRENCH: Language = Language {
    password: &["mots? de passe", "mdp", "mot passe", "identifiants"],
    phrase: &["phrase (?:de passe|secr[eè]te)", "phrase", "mot de code"],
    pin: &[
        "code (?:pin|secret|confidentiel|de la carte|carte bleue|de (?:ma|sa|la) carte|d acc[eè]s|parental|de s[eé]curit[eé]|du portail|de la porte|de l immeuble|du coffre|de v[eé]rification|de confirmation|du r[eé]pondeur)",
        "digicode", "cryptogramme", "code puk", "combinaison", "trois chiffres", "(?:de |du |l |d )?antivol à code",
    ],
    code: &["codes?", "chiffres"],
    key: &[
        "cl[eé] (?:api|wifi|wpa2?|wep|priv[eé]e|secr[eè]te|du wifi|de s[eé]curit[eé]|r[eé]seau|de r[eé]cup[eé]ration)",
        "jeton", "jetons", "cl[eé]",
    ],
    recovery: &[
        "codes? de (?:secours|r[eé]cup[eé]ration)", "phrase de r[eé]cup[eé]ration", "(?:12|24|douze) mots",
        "les mots", "sauvegarde",
    ],
    account: &["num[eé]ro de compte", "rib", "compte bancaire"],
    lock: &[
        "portes?", "portail", "coffre", "cadenas", "alarme", "antivol", "garage", "immeuble", "interphone",
        "bo[iî]te", "bo[iî]tier", "tel", "t[eé]l[eé]phone", "r[eé]pondeur", "carte sim", "valise", "casier", "hall",
        "tablette", "d[eé]verrouill[a-zé]*", "d[eé]bloqu[a-zé]*",
    ],
    open: &[
        "tape[sz]?", "taper", "compose[zr]?", "ouv[a-zé]*", "rouvrir", "d[eé]verrouill[a-zé]*", "fais", "faites",
        "mets", "mettre", "mis", "molettes", "entre[zr]?", "d[eé]bloqu[a-zé]*", "d[eé]sactiv[a-zé]*",
    ],
    proof: &["confirm[a-zé]*", "valid[a-zé]*", "sms", "banque", "v[eé]rif[a-zé]*", "virement", "achat", "connexion"],
    login: &[
        "identifiants?", "utilisateur", "compte", "login", "r[eé]seau", "wifi", "livebox", "freebox", "connecte[rz]?",
        "session", "box",
    ],
    change: &["chang[eé]e?", "nouveau", "nouvelle", "partout", "remplac[eé]", "r[eé]initialis[eé]"],
    public: &[
        "facture", "commande", "colis", "suivi", "chambre", "vol", "voie", "place", "places", "voiture", "num[eé]ro",
        "n°", "n", "code postal", "promo", "r[eé]duction", "erreur", "ligne", "bus", "page", "r[eé]f",
        "r[eé]f[eé]rence", "dossier", "siret", "immatriculation", "rue", "porte n", "code promo", "départ",
        "kilom[eè]tres", "pointure", "taille", "client",
    ],
    is: &[
        "est", "était", "etait", "sera", "c est", "c", "cest", "devient", "en", "pour", "avec", "comme",
        "c est (?:maintenant|toujours|devenu)", "est (?:maintenant|toujours|d[eé]sormais|devenu)", "d[eé]sormais",
        "chang[eé] (?:en|pour)",
    ],
    common: "a ai alors après as au aussi aux avait avec avoir bien bon bonne ce cela celle celui ces cette changé changer comme comment correct court dans de des dire doit dois donc du dur déjà elle en encore enregistré est et eux expiré facile faible fait faut faux fort ici il ils incorrect invalide j'ai jamais je la le les leur lui ma mais mauvais me mes mettre moi moins mon même ne ni non nos notre nous nouveau nouvelle nécessaire obligatoire on ou oublie oublié où par pas perdu peu plus pour pourquoi qu que quel quelle qui quoi reçu refusé requis sa sans se secret ses si son sont sous stocké sur sécurisé ta te tes toi ton toujours tout trop très tu un une va valide voir vos votre y à ça été être ancien ancienne noté écrit",
    digits: "zéro zero un deux trois quatre cinq six sept huit neuf double",
};

#[rustfmt::skip]
const SPANISH: Language = Language {
    password: &["contrase(?:ñ|n|nh|n\u{303})as?", "contra", "clave", "claves", "contrasenya", "clau"],
    phrase: &[
        "frase (?:de (?:paso|contraseña|acceso|seguridad)|secreta|clave)", "palabra (?:clave|secreta)",
        "palabra de seguridad",
    ],
    pin: &[
        "c[oó]digos? (?:pin|puk|secreto|de seguridad|de acceso|de verificaci[oó]n|de confirmaci[oó]n|de (?:la|mi) (?:puerta|alarma|tarjeta|caja fuerte|caja)|del (?:portal|garaje|trastero|candado)|de desbloqueo|de un solo uso)",
        "combinaci[oó]n", "codi", "clave de un solo uso", "pin", "puk",
    ],
    code: &["c[oó]digos?", "cod", "n[uú]meros de detr[aá]s"],
    key: &[
        "clave (?:api|secreta|privada|de red|wifi|wpa|de acceso)", "llave (?:privada|secreta)", "token",
        "clave de recuperaci[oó]n", "ficha de acceso",
    ],
    recovery: &[
        "c[oó]digos? de (?:recuperaci[oó]n|respaldo|emergencia)", "frase (?:semilla|de recuperaci[oó]n)",
        "(?:12|24|doce) palabras", "palabras", "monedero", "semilla",
    ],
    account: &["n[uú]mero de cuenta", "cuenta bancaria", "ccc"],
    lock: &[
        "puertas?", "portal", "garaje", "caja fuerte", "candado", "alarma", "taquilla", "trastero", "cajita",
        "tel[eé]fono", "m[oó]vil", "maleta", "buz[oó]n", "verja", "edificio", "llaves?", "llavero", "desbloque[a-z]*",
    ],
    open: &[
        "abre", "abrir", "abren", "marca", "marcar", "marcando", "marcas", "teclea[r]?", "pon", "poner", "puse",
        "pones", "desbloque[a-z]*", "desactiva[a-z]*", "introduce", "mete", "con",
    ],
    proof: &[
        "confirm[a-z]*", "verific[a-z]*", "sms", "banco", "firmar", "autoriz[a-z]*", "transferencia", "repartidor",
    ],
    login: &[
        "usuario", "red", "wifi", "cuenta", "acceso", "acceder", "entra", "entrar", "entras", "usuari", "correo",
        "registro",
    ],
    change: &["cambiado", "cambi[eéo]", "nueva", "nuevo", "en todas partes", "en todo", "restablecid[oa]"],
    public: &[
        "pedido", "factura", "env[ií]o", "vuelo", "fila", "butacas?", "sala", "puerta de embarque", "asiento",
        "habitaci[oó]n", "planta", "plaza", "tel", "tel[eé]fono de", "c[oó]digo postal", "promocional", "cup[oó]n",
        "descuento", "error", "l[ií]nea", "autob[uú]s", "matr[ií]cula", "talla", "n[uú]mero", "serie", "expediente",
        "referencia", "ref", "and[eé]n", "v[ií]a", "cliente", "p[aá]gina",
    ],
    is: &[
        "es", "era", "ser[aá]", "será", "son", "(?:es|era) (?:ahora|todav[ií]a|simplemente)", "ahora es", "a", "como",
        "con", "q es", "este", "e", "cambiad[oa] (?:a|por)", "passa a ser", "a fost",
    ],
    common: "a ahora al algo antigua antiguo aquí así caducada caducado caduca cada cambiada cambiar casi como con correcta corta cuando cuál da de debe del demasiado desde deben dice distinta donde dos débil e ella el en entre era eres es esa ese eso esta este esto está fuerte fácil guardada guardado ha hace hay igual importante incorrecta inválida la larga las le les lo los mala mayúscula me mi mientras misma mismo mucho muy más necesaria ni no nos nueva nuevo nunca o obligatoria olvidada otra otro para pero perdida poco por porque puede q que qué quiero se segura ser si siempre sin sobre solo son su sus sólo también tan te tenga tener tengo tiene tienen tienes toda todas tu tus un una uno va vez ya yo él válida secreta escrita apuntada guarda pide",
    digits: "cero uno dos tres cuatro cinco seis siete ocho nueve doble",
};

#[rustfmt::skip]
const PORTUGUESE: Language = Language {
    password: &["senhas?", "palavras? passe", "pass", "password", "parola"],
    phrase: &["frase (?:passe|secreta|senha|de seguran[cç]a)", "palavra (?:secreta|de seguran[cç]a)"],
    pin: &[
        "c[oó]digos? (?:pin|puk|secreto|de seguran[cç]a|de acesso|de verifica[cç][aã]o|de confirma[cç][aã]o|do (?:alarme|port[aã]o|pr[eé]dio|cofre|cart[aã]o|dep[oó]sito|whatsapp|cadeado)|da (?:porta|garagem|entrada)|de uso [uú]nico)",
        "combina[cç][aã]o", "pinul", "numerinhos atr[aá]s", "pin", "puk",
    ],
    code: &["c[oó]digos?", "cod"],
    key: &["chave (?:api|secreta|privada|de rede|wifi|de acesso|de recupera[cç][aã]o|pix)", "token"],
    recovery: &[
        "c[oó]digos? de (?:recupera[cç][aã]o|emerg[eê]ncia|backup|reserva)", "frase (?:semente|de recupera[cç][aã]o)",
        "(?:12|24|doze) palavras", "carteira", "bitcoin", "semente",
    ],
    account: &["conta pra dep[oó]sito", "n[uú]mero da conta", "conta corrente", "ag[eê]ncia", "conta poupan[cç]a"],
    lock: &[
        "portas?", "port[aã]o", "pr[eé]dio", "cofre", "cadeado", "alarme", "garagem", "armário", "celular",
        "telem[oó]vel", "telefone", "mala", "correio de voz", "chaves?", "cofrinho", "interfone", "chip",
        "dep[oó]sito", "desbloque[a-z]*",
    ],
    open: &[
        "abre", "abrir", "digita", "digitar", "digite", "coloca", "coloque", "marca", "disca", "p[oõ]e",
        "desbloqueia", "desbloquear", "desliga", "desligar", "ficou com", "com",
    ],
    proof: &[
        "confirm[a-z]*", "verific[a-z]*", "sms", "banco", "autoriz[a-z]*", "transfer[a-z]*", "compra", "whatsapp",
    ],
    login: &["usu[aá]rio", "utilizador", "rede", "conta", "acesso", "entrar", "entra", "wifi"],
    change: &["troquei", "mudei", "alterei", "nova", "em tudo", "trocou", "mudou"],
    public: &[
        "pedido", "fatura", "encomenda", "voo", "fila", "sala", "lugar", "porta de embarque", "assento", "quarto",
        "andar", "vaga", "tel", "cep", "cupom", "promo", "desconto", "erro", "linha", "[oô]nibus", "placa",
        "n[uú]mero", "ref", "matr[ií]cula", "nif", "s[eé]rie", "p[aá]gina", "rastreio", "ap", "apto",
    ],
    is: &[
        "é", "e", "era", "ser[aá]", "são", "agora é", "é (?:agora|ainda)", "para", "pra", "como", "ficou", "igual",
        "passou a ser",
    ],
    common: "a agora ainda algo ao aos aqui as atrás até boa bom cada certa com como comprida curta da das de dela dele deles demais depois do dos e ela elas ele eles em entre era errada escrita essa esse esta este está eu expirada expirou foi forte fraca fácil ficou guardada há igual importante incorreta inválida isso isto já la lhe lá mais mas me mesma mesmo meu minha muito na nada nas nem no nos nova novo num numa nunca não nós o onde os ou outra para pela pelo por porque pra própria próxima quando que quem segura sem sempre ser seu si sim sobre sua só também tem tenha ter teu toda todas trocada tua tudo tão um uma venceu você é à às era ruim secreta velha vou",
    digits: "zero um dois três tres quatro cinco seis meia sete oito nove duplo",
};

#[rustfmt::skip]
const ITALIAN: Language = Language {
    password: &["password", "parola chiave", "credenziali", "parola"],
    phrase: &["parola d ordine", "frase (?:segreta|d accesso|di sicurezza|password|d ordine)", "frase"],
    pin: &[
        "codic[ei] (?:pin|puk|segreto|di sicurezza|d accesso|di accesso|di verifica|di conferma|del (?:portone|cancello|citofono|bancomat|lucchetto|garage)|dell (?:allarme|antifurto)|della (?:porta|cassaforte|carta|cassetta)|di sblocco|otp)",
        "combinazione", "pin", "puk",
    ],
    code: &["codic[ei]", "cod"],
    key: &["chiave (?:api|segreta|privata|di rete|wifi|wpa|di accesso|di recupero)", "token"],
    recovery: &[
        "codic[ei] di (?:backup|recupero|emergenza|riserva)", "frase (?:seme|di recupero)", "(?:12|24|dodici) parole",
        "parole", "bitcoin", "portafoglio",
    ],
    account: &["conto corrente", "numero di conto", "coordinate bancarie"],
    lock: &[
        "porta", "portone", "cancello", "cassaforte", "lucchetto", "allarme", "garage", "armadietto", "cellulare",
        "cell", "telefono", "valigia", "segreteria", "citofono", "cassettina", "cassetta", "cantina", "antifurto",
        "sblocc[a-z]*",
    ],
    open: &[
        "apre", "aprire", "aprono", "fai", "digita", "digitare", "metti", "inserisci", "sblocc[a-z]*", "componi",
        "premi", "scrivi", "scrivendo", "con",
    ],
    proof: &["conferm[a-z]*", "verific[a-z]*", "sms", "banca", "poste", "autorizz[a-z]*", "bonifico", "pagamento"],
    login: &["utente", "user", "rete", "account", "accesso", "entra", "entri", "entro", "wifi", "wi fi"],
    change: &["cambiata", "cambiato", "nuova", "nuovo", "ovunque", "dappertutto"],
    public: &[
        "ordine", "fattura", "pacco", "spedizione", "volo", "fila", "sala", "posto", "camera", "stanza", "piano",
        "tel", "cap", "sconto", "promo", "errore", "linea", "autobus", "targa", "numero", "n", "rif", "serie",
        "pagina", "interno", "palco", "binario", "prefisso", "fiscale", "iva", "settore",
    ],
    is: &[
        "è", "e", "era", "sarà", "sono", "ora è", "è (?:ora|adesso|ancora|sempre)", "a", "con", "come", "in",
        "infatti",
    ],
    common: "a abbastanza adesso ai al alla alle allo anche ancora banale breve c'è che chi ci come con corretta cosa così da dal dalla debole dei del dell della delle deve di dice dietro dopo dove due e ed era errata essere facile fatto forte gli ha hai ho i il importante in incorretta io la le lei lo loro lui lunga ma mai me meglio mi mia mio molto ne nella nel no noi non nuova nuovo o obbligatoria ogni ora per però perché persa più poi qual quale quando quella quello questa questo qui robusta sbagliata scade scaduta scritta se segreta sempre senza si sia sicura solita solo sono stata stessa sta su sua suo sul sulla te tra troppo tu tua tutta tutte tutti tutto un una uno va vecchia vuole vuota è già salvata",
    digits: "zero uno due tre quattro cinque sei sette otto nove doppio",
};

#[rustfmt::skip]
const POLISH: Language = Language {
    password: &["hasł[a-ząęśżźćńół]*", "haseł[a-z]*", "haslo", "hasla", "dane logowania"],
    phrase: &["fraz[aęyą] (?:hasłow[a-ząę]*|zabezpieczaj[a-ząę]*)", "hasło alarmowe"],
    pin: &[
        "pin-?(?:u|em|ie|y)?",
        "kod(?:u|em|y)? (?:pin|puk|do|sms|dostępu|bezpieczeństwa|weryfikacyjn[a-z]*|odbioru|jednorazow[a-z]*|autoryzacyjn[a-z]*|potwierdzaj[a-ząę]*|z sms[a-z]*|blik)",
        "blik", "domofon[a-z]*", "szyfr[a-z]*", "kombinacj[a-ząę]*",
    ],
    code: &["kod", "kodu", "kodem", "kody", "kodzie", "cyfr[a-zy]*"],
    key: &["klucz(?:a|em)? (?:api|prywatny|sieciowy|wifi|wpa|dostępu|odzyskiwania|sieci)", "token[a-z]*"],
    recovery: &[
        "kod[a-zóy]* (?:zapasow[a-z]*|odzyskiwania|awaryjn[a-z]*)", "(?:zapasow|awaryjn|rezerwow)[a-z]* kod[a-zóy]*",
        "fraz[aęyą] (?:odzyskiwania|seed|zapasow[a-z]*)", "(?:12|24) słów", "słow[a-z]*", "portfel[a-z]*",
        "seed[a-z]*",
    ],
    account: &["numer konta", "nr konta", "rachun[a-z]*", "konto nr", "konto"],
    lock: &[
        "drzwi", "bram[a-zyę]*", "sejf[a-z]*", "kłódk[a-zię]*", "alarm[a-z]*", "garaż[a-z]*", "domofon[a-z]*",
        "klatk[a-zi]*", "furtk[a-zię]*", "skrytk[a-zię]*", "telefon[a-z]*", "rower[a-z]*", "szafk[a-zię]*",
        "paczkomat[a-z]*", "walizk[a-zię]*", "wejści[a-z]*", "odblok[a-z]*",
    ],
    open: &[
        "otwiera[a-z]*", "otworzy[a-zć]*", "wpisz", "wpisać", "wpisujesz", "wbij", "wstukaj", "wciśnij",
        "odblok[a-zowuj]*", "ustaw[a-z]*", "podaj",
    ],
    proof: &["potwierd[a-zź]*", "sms", "autoryz[a-z]*", "przelew[a-zu]*", "weryfik[a-z]*", "bank[a-z]*"],
    login: &["użytkownik[a-z]*", "login", "loginu", "sieć", "sieci", "wifi", "kont[aoe]", "logowani[a-z]*"],
    change: &["zmieni[a-złem]*", "now[ey]", "wszędzie", "podpowiedź"],
    public: &[
        "zamówieni[a-z]*", "faktur[a-zyę]*", "przesyłk[a-zię]*", "paczk[a-zię]*", "pokój", "pokoju", "sala", "sali",
        "miejsc[a-z]*", "peron[a-z]*", "tor", "nr", "numer[a-z]*", "pocztow[a-z]*", "rabat[a-z]*", "rabatow[a-z]*",
        "błęd[a-zu]*", "błąd", "lini[a-z]*", "autobus[a-z]*", "rejestrac[a-z]*", "tel", "strona", "stron[a-zie]*",
        "licznik[a-z]*", "nip", "pesel", "kreskow[a-z]*", "klienta", "sprawy",
    ],
    is: &["to", "jest", "brzmi", "było", "był", "teraz", "jest teraz", "to teraz", "na", "jako", "będzie"],
    common: "a ale albo aby bardzo bez bo brak by być był była było błędne chyba co czy dla do dobre dobry dwa gdzie go i ich ile im inne innego ja jak jaki jakie już jej jego jest jeszcze każdy kiedy krótkie które ktoś ku lub ma mam mamy masz mi mieć mnie mogę moje mój może można musi na nad nam nas nawet nie nieprawidłowe nigdy nikomu nikt no nowe o od ode on ona oni oraz po pod potem poprawne przed przez przy s same się silne skąd stare słabe tak tam te tego tej ten to trzeba trzy tu tutaj twoje ty tylko tym u w we wam wasze wciąż wie wszędzie wygasło z za zapomniałem zapomniałam zapisane zawsze ze zmienić zmień znaków znowu zresetować że żeby takie samo",
    digits: "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć",
};

#[rustfmt::skip]
const RUSSIAN: Language = Language {
    password: &["парол[а-яё]*", "пасс(?:ворд)?"],
    phrase: &["кодов[а-яё]+ (?:слов[а-яё]+|фраз[а-яё]+)", "парольн[а-яё]+ фраз[а-яё]+", "секретн[а-яё]+ слов[а-яё]+"],
    pin: &[
        "пин(?:-?код[а-яё]*)?", "пин[ауе]?", "пук(?:-?код)?", "pin-?код[а-яё]*", "puk-?код[а-яё]*",
        "код[а-яё]* (?:от|из смс|из sms|домофона|получения|подъезда|двери|сейфа|замка|подтверждени[а-яё]+|доступа|безопасности|сигнализации|проверки)",
        "домофон[а-яё]*", "cvv-?код[а-яё]*", "комбинаци[а-яё]*", "шифр[а-яё]*",
    ],
    code: &["код", "кода", "кодом", "коды", "коде", "цифр[а-яё]*"],
    key: &[
        "ключ(?:а|ом)? (?:api|апи|доступа|сети|вайфай|от вайфая|шифрования|восстановления|wifi|wi-fi)", "апи-?ключ",
        "api-?ключ[а-яё]*", "токен[а-яё]*", "секретн[а-яё]+ ключ", "приватн[а-яё]+ ключ",
    ],
    recovery: &[
        "резервн[а-яё]+ код[а-яё]*", "код[а-яё]* восстановлени[а-яё]+", "сид(?:-?фраз[а-яё]*)?", "seed-?фраз[а-яё]*",
        "фраз[а-яё]+ восстановлени[а-яё]+", "(?:12|24) слов[а-яё]*", "слова", "кошел[а-яё]*",
    ],
    account: &["номер счета", "номер счёта", "расчетный счет", "расчётный счёт", "счет", "счёт", "р/с", "р/сч"],
    lock: &[
        "двер[а-яё]*", "ворот[а-яё]*", "подъезд[а-яё]*", "сейф[а-яё]*", "замок", "замк[а-яё]*", "сигнализаци[а-яё]*",
        "гараж[а-яё]*", "калитк[а-яё]*", "домофон[а-яё]*", "телефон[а-яё]*", "шкафчик[а-яё]*", "велосипед[а-яё]*",
        "чемодан[а-яё]*", "ячейк[а-яё]*", "сигналк[а-яё]*", "постамат[а-яё]*", "ключниц[а-яё]*", "разблок[а-яё]*",
    ],
    open: &[
        "открыва[а-яё]*", "открыть", "набер[а-яё]*", "набирай[а-яё]*", "набрать", "введ[а-яё]*", "вводи[а-яё]*",
        "нажм[а-яё]*", "разблок[а-яё]*", "ввод[а-яё]*", "постав[а-яё]*",
    ],
    proof: &["подтвер[а-яё]*", "смс", "sms", "перевод[а-яё]*", "банк[а-яё]*", "вход[а-яё]*", "операци[а-яё]*"],
    login: &[
        "логин[а-яё]*", "пользовател[а-яё]*", "вайфа[а-яё]*", "wi-?fi", "сет[а-яё]{1,2}", "аккаунт[а-яё]*",
        "учетк[а-яё]*", "учётк[а-яё]*", "роутер[а-яё]*", "почт[а-яё]*",
    ],
    change: &["поменял[а-яё]*", "сменил[а-яё]*", "нов[ыоая][а-яё]*", "везде", "подсказк[а-яё]*"],
    public: &[
        "заказ[а-яё]*", "накладн[а-яё]*", "посылк[а-яё]*", "трек[а-яё]*", "рейс[а-яё]*", "место", "мест[а-яё]*",
        "комнат[а-яё]*", "кабинет[а-яё]*", "номер[а-яё]*", "вагон[а-яё]*", "путь", "индекс[а-яё]*", "промокод[а-яё]*",
        "скидк[а-яё]*", "ошибк[а-яё]*", "автобус[а-яё]*", "маршрут[а-яё]*", "тел", "стр", "страниц[а-яё]*", "инн",
        "снилс", "квартир[а-яё]*", "кв", "этаж[а-яё]*", "дом", "артикул[а-яё]*", "версия", "билет[а-яё]*",
        "полис[а-яё]*",
    ],
    is: &[
        "это", "был", "была", "будет", "такой", "теперь", "стал", "на", "как", "теперь такой", "сейчас", "вот",
        "остался",
    ],
    common: "а без бы был была были было быть в вам вас ваш весь во вот все всегда всё вы где говорит да для до его ее если есть еще ещё ж же за забыл забыла забыт здесь и из или им их истек истёк к как какой когда который кто ли лучше меня мне можно мой моя мы на над надо нас не него нее нет неверный неправильный ни никогда никому ничего но новый ну нужен нужно о об один он она они опять от очень по под пока пор после потом потому почему правильный при про простой раз с сам свой себе сейчас сложный слабый сменить снова со стал старый так там тебе теперь то тоже только тот ты у уже хороший чем через что чтобы эта эти это этот я должен тот-же длинный короткий надежный надёжный восстановить сбросить записан",
    digits: "ноль один два три четыре пять шесть семь восемь девять",
};

#[rustfmt::skip]
const TURKISH: Language = Language {
    password: &["şifre[a-zçğıöşü]*", "sifre[a-zçğıöşü]*", "parola[a-zçğıöşü]*"],
    phrase: &["parola cümlesi", "güvenlik kelimesi", "gizli kelime", "şifre cümlesi"],
    pin: &[
        "pin(?:-?kodu[a-zçğıöşü]*|[' ]?[iı][mn]?)?", "puk(?: kodu[a-z]*)?",
        "(?:kapı|alarm|güvenlik|onay|doğrulama|giriş|kasa|kilit|erişim|bina|apartman|garaj|sms|tek kullanımlık|dolap|bahçe kapısı) (?:kod|şifre)[a-zçğıöşü]*",
        "kombinasyon[a-zçğıöşü]*",
    ],
    code: &["kod", "kodu", "kodum", "kodumuz", "kodunu", "kodlar[a-zçğıöşü]*", "koduyla"],
    key: &[
        "(?:api|gizli|özel|ağ|wifi|güvenlik|erişim|kurtarma) anahtar[a-zçğıöşü]*", "token[a-zçğıöşü]*", "anahtarı",
    ],
    recovery: &[
        "(?:kurtarma|yedek|kurtarma) (?:kod|kelime|cümle|ifade)[a-zçğıöşü]*", "(?:12|24) kelime[a-zçğıöşü]*",
        "cüzdan[a-zçğıöşü]*", "tohum[a-z]*",
    ],
    account: &["hesap numara[a-zçğıöşü]*", "hesap no[a-zçğıöşü]*"],
    lock: &[
        "kapı[a-zçğıöşü]*", "kasa[a-zçğıöşü]*", "kilit[a-zçğıöşü]*", "kilid[a-zçğıöşü]*", "alarm[a-zçğıöşü]*",
        "garaj[a-zçğıöşü]*", "dolap[a-zçğıöşü]*", "dolab[a-zçğıöşü]*", "telefon[a-zçğıöşü]*", "apartman[a-zçğıöşü]*",
        "bina[a-zçğıöşü]*", "bavul[a-zçğıöşü]*", "anahtarlık", "kutu[a-zçğıöşü]*", "panel[a-zçğıöşü]*",
    ],
    open: &[
        "aç[a-zçğıöşü]*", "gir[a-zçğıöşü]*", "tuşla[a-zçğıöşü]*", "yaz[a-zçğıöşü]*", "bas[a-zçğıöşü]*",
        "çevir[a-zçğıöşü]*",
    ],
    proof: &[
        "onay[a-zçğıöşü]*", "doğrula[a-zçğıöşü]*", "sms", "banka[a-zçğıöşü]*", "havale[a-z]*", "ödeme[a-zçğıöşü]*",
    ],
    login: &[
        "kullanıcı(?: adı)?[a-zçğıöşü]*", "wifi", "ağ[ıa]?", "modem", "giriş", "hesap[a-zçğıöşü]*",
        "hesab[a-zçğıöşü]*",
    ],
    change: &["değiş[a-zçğıöşü]*", "yeni", "her yerde", "ipucu[a-zçğıöşü]*"],
    public: &[
        "sipariş[a-zçğıöşü]*", "fatura[a-zçğıöşü]*", "kargo[a-zçğıöşü]*", "takip", "oda[a-zçğıöşü]*", "koltuk",
        "peron", "no", "numara[a-zçğıöşü]*", "posta", "indirim[a-zçğıöşü]*", "kupon[a-zçğıöşü]*", "hata", "hat",
        "otobüs[a-z]*", "plaka[a-z]*", "tel", "sayfa", "sefer", "kat", "daire", "alan", "müşteri", "tc", "vergi",
    ],
    is: &["şu", "şöyle", "olarak", "artık", "oldu", "hâlâ", "hala", "ise", "şimdi", "yaptım", "olsun"],
    common: "acaba ama artık aynı az bana bazı belki ben beni benim bile bir biraz biri biz bizim bu bunu çok çünkü da daha de değil değiştir değiştirdim diye doğru en eski gibi güçlü güvenli hatalı hatırlamıyorum hem hep her hiç i için ile ise iyi kaç kadar kendi ki kim kimse kısa kolay m mi mı mu mü ne neden nerede nasıl o olan olarak oldu olmalı olsun on ona onlar onu önce sadece sana sen senin siz sonra süresi şey tüm unuttum uzun ve veya ya yanlış yeni yok yine zaten zayıf zor yazıyor var lazım gerekiyor geçersiz gizli sıfırlama sıfırla",
    digits: "sıfır bir iki üç dört beş altı yedi sekiz dokuz",
};

#[rustfmt::skip]
const CHINESE: Language = Language {
    password: &["密码", "密碼", "口令", "暗号", "账号密码"],
    phrase: &["密语", "通关暗号", "安全词"],
    pin: &[
        "验证码", "驗證碼", "门禁密码", "门禁码", "取件码", "提货码", "支付密码", "取款密码", "安全码", "动态码", "校验码", "开锁密码", "开门密码", "pin码",
        "puk码", "解锁码", "短信码", "备用码",
    ],
    code: &["代码", "编码", "码是"],
    key: &["密钥", "令牌", "appsecret", "secret", "私钥", "秘钥", "api key", "访问密钥"],
    recovery: &["助记词", "恢复码", "恢复代码", "备用验证码", "备份码", "恢复短语", "种子词", "恢复密钥"],
    account: &["银行卡号", "账号", "卡号", "银行账号", "帐号", "账户"],
    lock: &[
        "门", "保险箱", "保险柜", "锁", "门锁", "报警器", "手机", "柜子", "大门", "车库", "行李箱", "单元门", "快递柜", "箱子", "撤防", "布防", "键盘",
        "授权", "门禁",
    ],
    open: &["输入", "输", "按", "打开", "解锁", "开门", "拨", "开", "用", "设成", "设为"],
    proof: &["验证", "确认", "短信", "转账", "付款", "登录", "银行", "收到"],
    login: &["用户名", "用户", "账号", "账户", "帐号", "登录", "网络", "无线", "wifi", "路由器", "管理员"],
    change: &["改成", "换成", "改为", "新的", "都用", "提示"],
    public: &[
        "订单", "订单号", "发票", "快递单号", "单号", "房间", "房号", "座位", "航班", "车次", "电话", "邮编", "优惠码", "优惠", "折扣", "错误", "错误代码",
        "版本", "车牌", "型号", "公交", "区号", "编号", "号线", "客户号", "尾号",
    ],
    is: &["是", "为", "就是", "改成", "改为", "设成", "设为", "设置为", "换成", "现在是", "改成了", "换成了", "还是", "叫", "用"],
    common: "ok",
    digits: "零 〇 一 二 三 四 五 六 七 八 九 幺 两",
};

#[rustfmt::skip]
const JAPANESE: Language = Language {
    password: &["パスワード", "パス", "合言葉", "pw", "ログイン情報"],
    phrase: &["パスフレーズ", "合言葉", "合い言葉"],
    pin: &[
        "ロック番号", "解除番号", "暗証番号", "暗証", "認証コード", "確認コード", "セキュリティコード", "ピンコード", "pinコード", "解錠番号", "解錠コード",
        "ワンタイムパスワード", "ワンタイムコード", "開錠番号", "受取コード", "入室コード", "オートロック", "暗号", "ダイヤル", "ロック解除", "セキュリティ番号", "ドアコード",
        "キーボックス",
    ],
    code: &["コード"],
    key: &["apiキー", "シークレットキー", "アクセストークン", "トークン", "秘密鍵", "アクセスキー", "暗号化キー", "シークレット", "セキュリティキー", "暗号キー", "キーは"],
    recovery: &[
        "リカバリーコード", "リカバリーフレーズ", "復元フレーズ", "シードフレーズ", "バックアップコード", "回復コード", "復旧コード", "ウォレット", "ニーモニック", "復元コード",
    ],
    account: &["口座番号", "口座", "普通", "銀行"],
    lock: &[
        "玄関", "ドア", "金庫", "南京錠", "鍵", "アラーム", "警報", "ロッカー", "門", "スマホ", "自転車", "オートロック", "宅配ボックス", "キーボックス", "ガレージ",
        "スーツケース", "倉庫", "電子錠", "錠", "操作盤", "警備", "セコム", "解錠", "シャッター", "ダイヤル",
    ],
    open: &["開く", "開きます", "開けて", "開け", "入力", "押して", "押す", "解除", "解錠", "合わせ", "回して", "打って"],
    proof: &["認証", "確認", "sms", "振込", "振り込み", "銀行", "ログイン", "届い", "届き"],
    login: &["ユーザー", "ユーザ名", "ユーザー名", "ログイン", "wi-?fi", "ネットワーク", "アカウント", "ルーター", "管理画面", "ssid"],
    change: &["変更", "変え", "変わ", "新しい", "使い回し", "ヒント"],
    public: &[
        "注文", "注文番号", "請求書", "追跡番号", "伝票", "部屋", "号室", "座席", "電話", "電話番号", "郵便番号", "クーポン", "割引", "エラー", "エラーコード",
        "バージョン", "型番", "ページ", "号車", "番線", "会員番号", "お客様番号", "製造番号", "品番", "番組", "予約番号", "予約", "問い合わせ番号", "受付番号", "整理券",
        "管理番号",
    ],
    is: &["は", "が", "を", "って", "、", "に", "も", "はこれ", "も同じ"],
    common: "ok",
    digits: "ゼロ 零 いち 一 二 三 四 五 六 七 八 九 に さん よん ご ろく なな はち きゅう",
};

#[rustfmt::skip]
const KOREAN: Language = Language {
    password: &["비밀번호", "비번", "패스워드", "암호", "패스"],
    phrase: &["암호문", "비밀구문", "암호 문구", "패스프레이즈"],
    pin: &[
        "금고 번호", "비번 여섯자리", "간편비번", "인증번호", "인증코드", "보안코드", "출입번호", "출입코드", "핀번호", "핀코드", "핀", "현관 비번", "도어락", "일회용",
        "확인코드", "otp번호", "보안번호", "공동현관", "열쇠함", "퍽", "해제번호",
    ],
    code: &["코드"],
    key: &["api ?키", "토큰", "시크릿", "비밀키", "개인키", "액세스 ?키", "시크릿 ?키", "보안 ?키", "네트워크 ?키", "api 키"],
    recovery: &[
        "복구 ?코드", "복구 ?문구", "백업 ?코드", "시드 ?문구", "니모닉", "복구 ?구문", "지갑", "복구 ?단어", "복구키", "리커버리 ?코드", "백업 ?번호",
        "예비 ?코드",
    ],
    account: &["계좌번호", "계좌", "은행"],
    lock: &[
        "현관", "문", "금고", "자물쇠", "알람", "경보", "사물함", "대문", "휴대폰", "핸드폰", "차고", "도어락", "택배함", "캐리어", "창고", "보관함", "열쇠",
        "해제", "경비", "캡스", "세콤", "도어락",
    ],
    open: &["열려", "열고", "열립니다", "누르", "눌러", "입력", "해제", "돌려", "치면", "치고", "맞추"],
    proof: &["인증", "확인", "문자", "이체", "송금", "은행", "로그인", "승인"],
    login: &["아이디", "사용자", "와이파이", "공유기", "계정", "로그인", "네트워크", "관리자"],
    change: &["바꿨", "변경", "새", "바뀌", "힌트", "전부"],
    public: &[
        "주문", "주문번호", "송장", "송장번호", "운송장", "호실", "좌석", "항공편", "전화", "전화번호", "우편번호", "쿠폰", "할인", "오류", "에러", "오류코드",
        "버전", "모델", "페이지", "번 버스", "차량번호", "접수번호", "고객번호", "사업자", "지역번호", "예약번호", "호선", "고객센터",
    ],
    is: &["는", "은", "이", "가", "를", "을", "로", "도", "는요", "이랑", "요"],
    common: "ok",
    digits: "영 공 일 이 삼 사 오 육 칠 팔 구",
};

/// Words of other languages that share an alphabet and a grammar with one above.
#[rustfmt::skip]
const OTHERS: Language = Language {
    password: &[
        "parol[aăei]+", "contrasenya", "lösenord[a-z]*", "adgangskode[a-z]*", "passord[a-z]*", "salasana[a-z]*",
        "heslo", "jelsz[óo][a-z]*",
    ],
    phrase: &[],
    pin: &["codul (?:pin|de la|de acces)", "codi de", "pinul", "portkod[a-z]*"],
    code: &["codul", "codi", "kod"],
    key: &["clau (?:privada|d acc[eé]s)"],
    recovery: &[],
    account: &["contul"],
    lock: &["alarma", "porta", "u[sș]a"],
    open: &["s hi entra"],
    proof: &[],
    login: &["utilizator", "re[tț]eaua", "usuari"],
    change: &[],
    public: &[],
    is: &["este", "e", "és", "är", "er", "je", "on", "cu", "amb"],
    common: "uitat recordo de la am",
    digits: "",
};
