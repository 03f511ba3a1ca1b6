//! The table of French.
//!
//! As in all tables, patterns are written for folded text: `é` is `e`, `ç` is `c`, `œ` is `oe`. Colloquial
//! spellings are recognized: "chuis", "j'suis", "jveux", a negation without its "ne".

use super::language::{DayWord, Language, When, day};

mod gates;
mod rules;
#[cfg(test)]
mod tests;

pub(super) static TABLE: Language = Language {
    name: "french",
    words: "je j'ai j'habite j'aime j'adore j'en j'y jsuis j'suis chuis jveux jpeux tu il elle on nous vous me se mon ma mes ton ta tes \
            notre nos votre vos le la les un une des du de et ou mais ne pas plus jamais toujours est suis sont etait c'est c'etait \
            d'abord ai as avons avez ont pour par avec sans dans sur au aux en que qui quoi comment quand hier demain aujourd'hui \
            maintenant desormais dorenavant stp svp merci salut bonjour fais mets utilise prefere deteste moi toi lui cette cet ce \
            ces fois plutot appelle-moi tutoie-moi m'appelle t'es t'as y'a n'ai n'est qu'on qu'il d'un d'une chez donc tous toutes \
            tout tres ici prenom ville metier j' l' d' qu' n' m' s' c' t' rien aussi zero exit acte evite reponds reponds-moi",
    fragments: FRAGMENTS,
    openers: "salut|bonjour|bonsoir|coucou|hello|hey|yo|re|et|mais|donc|alors|du coup|or|bon|ben|bah|beh|ok|okay|ah|oh|euh|hum|oui|ouais|ouaip|\
              nan|non|si si|merci ,|mille mercis|super|parfait|nickel|genial|cool|top|au fait|d'ailleurs|sinon|en fait|par contre|ca y est|\
              parce que|car|puisque|vu que|comme|enfin|bref|voila|desolee?|pardon|sorry|perso|personnellement|pour ma part|quant a moi|de mon cote|\
              pour info|pour infos|pour memoire|fyi|a noter|note que|notez que|sache que|sachez que|retiens que|retenez que|n'oublie pas que|rappelle-toi que|\
              pour rappel|rappel|petite? (?:precision|info|rappel|question|note|detail|remarque)|precision|info|infos|detail|important|ps|nb|p\\.s|\
              pour que tu (?:saches|situes|comprennes)|pour situer|pour le contexte|contexte|a savoir|il faut savoir que|faut savoir que|\
              en gros|en bref|en resume|tout compte fait|en fin de compte|au bout du compte|reflexion faite|tout bien considere|finalement|au final|a la fin|apres reflexion|apres mure reflexion|tout bien reflechi|franchement|honnetement|serieusement|\
              plus serieusement|serieux|sans mentir|clairement|evidemment|bien sur|allez|tiens|dis|ecoute|regarde|attends|voyons|pfff*|rho+|oups|ouf|puree|putain|zut|\
              wesh|frere|mec|les gars|tout le monde|n'empeche|n'empeche que|cela dit|ceci dit|en revanche|en plus|de plus|par ailleurs|ensuite|puis|premierement|deuxiemement|\
              tabarnak|crisse|ostie|coudonc|bonne nouvelle|mauvaise nouvelle|j'oubliais|j'avoue|j'avoue que|juste que|(?:juste )?pour (?:te |vous )?dire (?:que|qu')|juste|stp|svp|s'il te plait|s'il vous plait|please|pour moi|en tout cas|je deconne|je rigole|je plaisante|blague a part|treve de plaisanterie|(?:le|la|l')(?: ?[a-z]+){1,2} c'est qu(?:e|')|ce qui (?:change|compte|est sur) c'est qu(?:e|')|je precise que|je precise|je te signale que|je te rappelle que|\
              je voulais (?:te |vous )?dire(?: que)?|je tenais a (?:te |vous )?dire que|je (?:te|vous) (?:informe|signale|rappelle|confirme|previens|annonce) que|my bad",
    closers: "stp|svp|s'il te plait|s'il vous plait|please|pls|merci|merci d'avance|merci bien|merci beaucoup|lol|mdr+|ptdr+|haha+|perso|personnellement|quoi|hein|voila|va|quand meme|\
              d'ailleurs|au fait|du coup|en fait|et|mais|car|parce que|desolee?|sinon|tu vois|tu sais|hihi|xd|^^|allez|ok|okay|enfin bref|la|pour info|par contre",
    connectors: CONNECTORS,
    gates: gates::GATES,
    rules: rules::RULES,
    session: " {now} ",
    past: " {pc} ",
    weekdays: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    numbers: &["une?", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"],
    days: DAYS,
};

/// The connectors. They do not split before "tu" and before instructions, so a condition stays with its main
/// clause.
const CONNECTORS: &[&str] = &[
    // A topic and what one thinks of it.
    " , (?:j'(?:adore|aime pas|aime pas trop|kiffe)|je (?:deteste|kiffe|hais|peux pas|supporte pas)) (?:$|[.!] ?$)",
    "( , (?:(?:et|mais|donc|alors|car|parce que|du coup|puis|puisque|vu que|sauf que|sinon|par contre|n'empeche) )*){start} ",
    // Before a question at the end.
    "( , )(?:tu (?:connais|sais|crois|penses|peux|pourrais|vois|te|trouves|en|aurais|comprends|veux|conseilles|me conseilles|me proposes|dirais|l'as|m'as|as|viens)|t'en|t'as|t'aurais|t'es|\
     vous (?:avez|pensez|connaissez|savez|pouvez|pourriez|auriez)|est-ce|qu'est-ce|ca (?:compte|te|marche|craint|va|vaut|donne|change)|quels?|quelles?|comment|pourquoi|combien|y a|il y a|\
     peux-tu|pouvez-vous|as-tu|avez-vous|trouve-moi|trouvez-moi|propose-moi|donne-moi|cherche-moi|aide-moi|ecris-moi|fais-moi|dis-moi) ",
    "( , (?:mais|donc|car|alors|parce que|parce qu'|du coup|puisque|vu que|sauf que|sinon|par contre|tandis que|alors que|d'ou|histoire de|question de) )",
    "( (?:et|mais|donc|alors|puis|pis) )(?:{start}|surtout) ",
    "( (?:parce que|pcq|car|du coup|puisque|vu que|sauf que|alors que|tandis que|histoire de|par contre) )",
    "( , ){weekday}(?: [a-z]+)? (?:je|j'[a-z]+|on|nous|c'est) ",
    "( , )(?:les?|la|l'[a-z]+) [a-z-]+ (?:me|m'[a-z]+|c'est|ca me|on|est|sont) ",
    "( , )(?:(?:il|elle) s'appelle|(?:ils|elles) s'appellent|(?:personne|tout le monde) (?:ne )?(?:me |m'[a-z]+)) ",
    "( : ){start} ",
    // What follows from what one is or has.
    " (?:j'ai|je suis|j'suis|chuis) (?:une?|des|le|la|{being}|{job})(?: [a-z0-9-]+){0,3}( : )",
    "( : )(?:pas|plus|jamais|toujours|zero|evite|evitez) ",
    "( - )",
];

const FRAGMENTS: &[(&str, &str)] = &[
    (
        "adv",
        "(?: (?:toujours|aussi|vraiment|vrmt|juste|plutot|surtout|encore|deja|actuellement|grave|trop|tres|super|carrement|clairement|franchement|quand meme|bien|beaucoup|bcp|enormement|\
         tellement|absolument|completement|totalement|maintenant|desormais|du tout|personnellement|normalement|generalement|d'habitude|en general|legerement|un peu|assez|moi-meme|tous les deux|de mon cote|par contre|\
         d'ailleurs|en fait|malheureusement|helas|depuis peu|officiellement|enfin|tous|toutes))*",
    ),
    (
        "moi",
        "(?:(?:moi|nous|chez moi|chez nous|a la maison|au boulot|au taf|ici|a present|maintenant|en ce moment|aujourd'hui)(?: ,)? )?",
    ),
    ("je", "(?:je |j'|j)(?:ne |n')?"),
    ("suis", "(?:je suis|j'suis|jsuis|chuis|chui|je ne suis|suis|on est|nous sommes)"),
    ("ai", "(?:j'ai|jai|je n'ai|on a|on n'a|nous avons|nous n'avons)"),
    // What the speaker says of things: one word or a few.
    ("it", "[^,]+?"),
    (
        "family",
        "(?:femme|mari|epouse?|conjointe?|compagnon|compagne|copine|copain|blonde|chum|fiancee?|mec|meuf|fils|fille|filles|garcon|garcons|enfants?|gosses?|gamine?s?|ados?|jumeaux|jumelles|bebe|\
         mere|pere|parents|maman|papa|mamie|papi|papy|freres?|soeurs?|frangine?|grand-mere|grand-pere|grands-parents|tante|oncle|neveu|niece|belle-mere|beau-pere|belle-soeur|beau-frere|belle-fille|beau-fils|\
         famille|aine|ainee|cadet|cadette|benjamine?|petit-fils|petite-fille|petits-enfants|filleule?|marraine|parrain|chien|chienne|chats?|chatte|chaton|chiot|lapine?|perroquet|cheval|jument|tortue|hamster)",
    ),
    (
        "kin",
        "(?:(?:mon|ma|mes|notre|nos|le|la|les) (?:[a-z]+ ){0,2}?{family}|maman|papa|mamie|papi|papy|belle-maman|beau-papa|(?:le|la) (?:petite?|grande?)|les (?:petits|gosses|gamins|enfants|jumeaux|jumelles|filles)|\
         (?:le pere|la mere) de (?:mes enfants|ma fille|mon fils))",
    ),
    (
        "mykin",
        "(?:(?:mon|ma|mes|notre|nos) (?:[a-z]+ ){0,2}?{family}|maman|papa|mamie|papi|papy|belle-maman|beau-papa|le petit|la petite|les jumeaux|les jumelles|les gosses|les gamins|(?:mon|ma|mes) (?:grande?|petite?|derniere|dernier|petits|grands)|(?:le pere|la mere) de (?:mes enfants|ma fille|mon fils))",
    ),
    (
        "other",
        "(?:chefs?|cheffe|boss|patronne?|manageuse|manager|n\\+1|directeur|directrice|collegues?|clients?|cliente|coloc|colocs|colocataire|voisine?s?|proprio|proprietaire|amie?s?|potes?|copains|copines|cousine?s?|profs?|\
         professeure?|stagiaire|alternante?|dentiste|toubib|medecin|kine|psy|coach|comptable|avocate?|notaire|banquier|banquiere|concurrents?|fournisseur|livreur|bailleur|locataires?|ex|ministre|president|maire|gens|mec|type|meuf|dame|monsieur|prestataire|recruteur|recruteuse|rh|cto|ceo|pdg)",
    ),
    ("month", "(?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)"),
    ("part", "(?: (?:matin|soir|midi|apres-midi|aprem|aprem'|nuit))?"),
    // A participle, in any of its endings.
    (
        "pp",
        "(?:(?:enfin |bien |deja |encore |tous |tout |toutes |toutes les deux |tous les deux |aussi |finalement |officiellement |vraiment |juste |meme |presque |failli |carrement |fait |faite )*(?:eue?s?|vue?s?|lue?s?|su|pu|du|bu|ete|mise?s?|prise?s?|faite?s?|dit|ne|nee?s?|ouvert|offert|mort|morte|morts|tuee?s?|[a-z]{3,}(?:e|ee|es|ees|i|ie|is|ies|it|ite|u|ue|us|ert|erte|int|inte)))",
    ),
    // What somebody has done: the speaker, or what is the speaker's.
    (
        "pc1",
        "(?:(?:j'ai|jai|on a|on l'a|je l'ai|nous avons|on m'a|on nous a|ils m'ont|il m'a|elle m'a|je me suis|jme suis|on s'est|nous nous sommes|je suis|chuis|jsuis|j'suis|on est|nous sommes) {pp})",
    ),
    (
        "pc3",
        "(?:(?:{mykin}|(?:mon|ma|mes|notre|nos) [a-z-]+(?: (?:de|du|d'|a) ?[a-z-]+| [a-z]+)?|(?:la|le|l'|les|une?) ?(?:chaudiere|serveurs?|prod|preprod|site|boutique|magasin|maison|cave|voiture|moto|velo|toit|boite|banque|client|frigo|four|dalle|base|audit|panne|incident|migration|release|deploiement|livraison|proces|jugement|concert|contrat|candidature|pret|immeuble|ecole|classe|equipe|stage|levee|cluster|disque|internet|fuite|degat|locataire|chauffe-eau|machine|tuyau|atelier|labo|usine|salon|proprio m'|assurance m')(?: (?:de |du |d')?[a-z]+)?) ?(?:a|ont|est|sont|s'est|se sont|m'a|nous a) {pp})",
    ),
    (
        "pc",
        "(?:(?:j'ai|jai|j'avais|on a|on l'a|je l'ai|nous avons|m'a|m'ont|nous a|nous ont|me suis|s'est|se sont|je suis|chuis|jsuis|j'suis|on est|nous sommes|a|ont|est|sont) {pp})",
    ),
    (
        "pastday",
        "(?:hier{part}|avant-hier|ce matin|cet aprem|cet apres-midi|aujourd'hui|cette nuit|tout a l'heure|a l'instant|{weekday}{part}(?: (?:dernier|passe|de la semaine derniere|de la semaine passee))?|(?:la semaine|l'annee|la nuit) (?:derniere|passee)|le (?:mois|week-end|weekend) (?:dernier|passe)|(?:l'an|l'ete|l'hiver|l'automne) (?:dernier|passe)|le printemps dernier|ce week-end|ce weekend|cet ete|cet hiver|cette semaine|cette annee|ce mois-ci|en fin de semaine|il y a (?:{number}|quelques|onze|douze|quinze|vingt|trente) (?:jours?|semaines?|mois|ans?|heures?)|ya {number} (?:jours?|semaines?|mois|ans?)|(?:en|debut|fin|mi-) ?{month}(?: dernier)?|en [0-9]{4}|le [0-9]{1,2} {month}|a (?:dix-huit|vingt|trente|quarante|[0-9]{2}) ans)",
    ),
    (
        "futureday",
        "(?:demain(?: {weekday})?{part}|apres-demain{part}|ce soir|a soir|(?:ce )?{weekday}{part}(?: (?:prochain|qui vient|en huit|de la semaine (?:prochaine|pro)))?|la semaine (?:prochaine|pro|qui vient)|le mois prochain|l'annee prochaine|l'an prochain|dans (?:{number}|quinze|quelques) (?:jours?|semaines?|mois)|le [0-9]{1,2}(?: {month})?|(?:en|debut|fin|mi-) ?{month}|cet ete|cet hiver|ce week-end|ce weekend|en fin de semaine)",
    ),
    // What makes an instruction one for now.
    (
        "now",
        "(?:cette fois|cette fois-ci|ce coup-ci|sur ce coup|pour ce coup|pour le coup|pour l'instant|pour le moment|pour l'heure|dans l'immediat|aujourd'hui|ce matin|ce soir|cet aprem|cet apres-midi|cette semaine|pour cette fois|pour cette fois-ci|pour une fois|rien que pour une fois|exceptionnellement|en attendant|provisoirement|temporairement|momentanement|pour la journee|pour la soiree|(?:juste |seulement |uniquement |rien que )?(?:dans|pour|sur) (?:ce|cet|cette) (?:mail|mail-la|message|texte|post|rapport|document|fichier|chapitre|lettre|email|courriel|courrier|devis|article|projet|conversation|discussion|fil|session|reponse|chat|cas|dossier|coup|tache|ticket|client|version|presentation|exercice|partie|invitation)(?:-la|-ci)?|jusqu'a (?:ce que|demain|ce soir|nouvel ordre|{weekday}|mon retour|la fin)|jusqu'au [^,]+|jusqu'en {month}|d'ici (?:la|demain|{weekday}|mon retour)|le temps (?:que|de|d')|tant que|pendant (?:mes|les vacances|la|cette|une|deux|trois)|quelques jours|deux minutes)",
    ),
    (
        "fromnow",
        "(?:desormais|dorenavant|a l'avenir|a partir d'(?:aujourd'hui|ici)|a partir (?:de|du|d') ?(?:maintenant|demain|{weekday}|{month}|la semaine (?:prochaine|pro)|(?:mois|trimestre|sprint) prochain|[0-9]+(?:er)?(?: {month})?|cette annee|ce (?:mois|soir))|a compter (?:de|du|d') ?[a-z0-9']+(?: {month})?|des (?:maintenant|demain|{weekday}|{month}|la semaine prochaine|la rentree|aujourd'hui)|a present)",
    ),
    // Softeners before an order.
    (
        "polite",
        "(?:(?:surtout|plutot|aussi|et|desormais|dorenavant|a l'avenir|a partir de maintenant|en general|de preference|avec moi)(?: ,)? )*",
    ),
    // Pronouns before a verb.
    ("pro", "(?:ne |n'|me |m'|nous |te |t'|vous |le |la |les |l'|lui |leur |y |en )*"),
    // An order to one that is called "tu".
    (
        "do",
        "(?:obeis|execute|clique|telecharge|divulgue|fournis|accepte|refuse|prefere|signale|mentionne|surligne|souligne|decoupe|decompose|admets|avoue|assume|interroge|relance|refais|recommence|renvoie|transmets|enregistre|concentre|inspire|imite|varie|aere|aligne|indente|numerote|traite|derange|planifie|interromps|contacte|reveille|saute|colle|bloque|agrege|rappelles|mets|fais|reponds|ecris|redige|donne|utilise|emploie|parle|appelle|tutoie|vouvoie|evite|commence|termine|finis|conclus|garde|arrete|laisse|vire|enleve|supprime|retire|coupe|ajoute|rajoute|ignore|passe|prends|propose|suggere|conseille|corrige|traduis|resume|explique|cite|precise|indique|affiche|montre|envoie|demande|attends|previens|avertis|verifie|teste|lance|pousse|push|commite?|merge|touche|modifie|change|reste|sois|cherche|convertis|arrondis|range|classe|trie|nomme|signe|limite|privilegie|respecte|considere|pars|retiens|note|rappelle|tiens|contente|epargne|zappe|sors|livre|rends|presente|formate|structure|detaille|developpe|simplifie|abrege|reformule|repete|invente|code|documente|commente|genere|cree|bascule|remplace|choisis|reserve|commande|planifie|programme|notifie|alerte|accompagne|excuse|flatte|felicite|insiste|termines|suis|compte|deploie|installe|justifie|source|separe|oriente|adapte|vise|bosse|travaille|lis|relis|recommande|separe|deduis|suppose|presume|complete|decide|valide|confirme|sers|base|ouvre|ferme|noie|gave|saoule|sermonne|juge|materne|menage|resous|compile|refactore|renomme|copie|imprime|partage|publie|poste)",
    ),
    // An order, to "tu" or to "vous".
    ("order", "(?:{do}|[a-z]{3,}ez|faites|dites)(?:-(?:moi|nous|le|la|les|lui|leur|en|y|toi|vous|m'en))*"),
    (
        "always",
        "(?:toujours|tjrs|tjs|jamais|systematiquement|a chaque fois|chaque fois|tout le temps|partout|par defaut|a l'avenir|dans tous les cas|quoi qu'il arrive|uniquement|exclusivement|obligatoirement|sans exception|en toutes circonstances|a tous les coups|desormais|dorenavant|a partir de maintenant|en priorite|autant que possible)",
    ),
    (
        "lang",
        "(?:francais|anglais|espagnol|allemand|italien|portugais|neerlandais|flamand|arabe|breton|occitan|catalan|quebecois|chinois|japonais|russe|polonais|turc|joual|creole|wallon|english)",
    ),
    // What answers are made of and look like.
    (
        "style",
        "(?:emojis?|emoticones?|smileys?|gifs?|listes?|puces|tirets|tableaux?|gras|italique|markdown|jargon|anglicismes?|anglais|formules?|blabla|bla-bla|preambules?|intros?|introductions?|conclusions?|resumes?|recaps?|recapitulatifs?|compliments?|flatteries?|excuses|points? d'exclamation|majuscules|liens?|notes? de bas de page|commentaires?|exemples?|disclaimers?|avertissements?|mises? en garde|phrases?|paragraphes?|paves?|lignes|mots|adverbes?|tutoiement|vouvoiement|spoilers?|spoils?|pub|pubs|appels?|rappels?|notifs?|notifications?|visios?|politesses?|reponses?|sources?|references?|citations?|details?|explications?|titres?|sous-titres?|code|snippets?|abreviations?|acronymes?|termes|langue de bois|ton|sms|metaphores?|blagues?|humour|ironie|morale|sermons?|suggestions?|questions?|guillemets|virgules?|points?-virgules?|dates|nombres|chiffres|prix|montants|temperatures|unites|mesures|distances|poids|heures|horaires|variables|noms|fonctions|tests|commits|messages|mails|courriels|traductions?|devises?|recettes|quantites|doses|fichiers|branches|reunions?|dependances?|librairies?|bibliotheques?|imports?|wildcards?|types?|annotations?|tournures?|superlatifs?|cliches|repetitions?|hypotheses|suppositions|frameworks?|mocks?|couleurs?|polices?|slides|diapos)",
    ),
    (
        "job",
        "(?:dev|developpeuse?|developpeur|ingenieure?|prof|professeure?|instit|institutrice|instituteur|enseignante?|infirmier|infirmiere|medecin|docteure?|kine|kinesitherapeute|sage-femme|pharmacienne?|aide-soignante?|ambulancier|ambulanciere|veterinaire|dentiste|psy|psychologue|orthophoniste|osteopathe|comptable|avocate?|notaire|juriste|juge|greffiere?|journaliste|redactrice|redacteur|traductrice|traducteur|interprete|graphiste|designer|designeuse|architecte|paysagiste|photographe|musicienne?|chanteuse|chanteur|comedienne?|illustratrice|illustrateur|ecrivaine?|autrice|auteure?|libraire|bibliothecaire|documentaliste|archiviste|archeologue|chercheuse|chercheur|doctorante?|etudiante?|lyceenne?|collegienne?|alternante?|apprentie?|stagiaire|boulangere?|boulanger|patissiere?|patissier|boucher|bouchere|cuisiniere?|cuisinier|chef de projet|cheffe de projet|chef de chantier|cheffe de chantier|serveuse|serveur|barman|barmaid|sommeliere?|restauratrice|restaurateur|hoteliere?|coiffeuse|coiffeur|estheticienne|fleuriste|maraichere?|maraicher|agricultrice|agriculteur|eleveuse|eleveur|vigneronne?|apicultrice|apiculteur|pecheur|menuisier|menuisiere|charpentiere?|charpentier|macon|plombier|plombiere|electricienne?|peintre|carreleur|couvreur|mecano|mecanicienne?|garagiste|soudeur|soudeuse|chauffeuse|chauffeur|routier|routiere|cheminote?|conductrice|conducteur|pilote|steward|hotesse|facteur|factrice|livreuse|livreur|coursier|postiere?|caissiere?|vendeuse|vendeur|commerciale?|commercante?|gerante?|patronne?|directrice|directeur|assistante?|secretaire|fonctionnaire|policiere?|policier|gendarme|pompier|pompiere|militaire|marin|douaniere?|educatrice|educateur|animatrice|animateur|nounou|assmat|coach|consultante?|freelance|independante?|auto-entrepreneure?|autoentrepreneure?|entrepreneure?|travailleuse autonome|travailleur autonome|intermittente?|retraitee?|chomeuse|chomeur|data (?:scientist|analyst|engineer)|devops|sysadmin|admin sys|admin systeme|product owner|scrum master|chimiste|biologiste|physicienne?|mathematicienne?|geologue|geometre|technicienne?|ouvriere?|ouvrier|artisane?|bijoutiere?|couturiere?|couturier|tatoueuse|tatoueur|brasseur|brasseuse|moniteur|monitrice|guide|agent|agente|responsable|charge|chargee|interne|externe|ceramiste|luthiere?|luthier|realisatrice|realisateur|monteuse|monteur|bassiste|guitariste|batteur|batteuse|pianiste|violoniste)",
    ),
    // What somebody is, as a matter of body, faith or state.
    (
        "being",
        "(?:allergique|intolerante?|vegetarien|vegetarienne|vege|vegan|vegane|vegetalienne?|flexitarienne?|pescetarienne?|pescatarienne?|coeliaque|celiaque|gauchere?|gaucher|droitiere?|droitier|ambidextre|diabetique|asthmatique|daltonien|daltonienne|dyslexique|dyspraxique|dysorthographique|autiste|tdah|hpi|bipolaire|epileptique|sourde?|malentendante?|malvoyante?|aveugle|non-voyante?|myope|presbyte|astigmate|hypertendue?|hypersensible|insomniaque|migraineuse|migraineux|hemophile|seropositif|seropositive|claustrophobe|agoraphobe|arachnophobe|enceinte|mariee?s?|pacsee?s?|divorcee?s?|celibataire|veuf|veuve|fiancee?s?|separee?s?|orpheline?|pupille|fille unique|fils unique|enfant unique|musulmane?|juive?|juif|catholique|protestante?|chretienne?|chretien|bouddhiste|athee|agnostique|pratiquante?|bilingue|trilingue|francophone|anglophone|belge|suisse|canadienne?|quebecoise?|francaise?|algerienne?|marocaine?|tunisienne?|senegalaise?|ivoirienne?|camerounaise?|malienne?|libanaise?|bretonne?|corse|alsacienne?|basque|reunionnaise?|martiniquaise?|guadeloupeenne?|bruxelloise?|liegeoise?|parisienne?|lyonnaise?|marseillaise?|montrealaise?|acadienne?|frontaliere?|frontalier|anglaise?|allemande?|espagnole?|italienne?|portugaise?|neerlandaise?|polonaise?|roumaine?|russe|chinoise?|japonaise?|vietnamienne?|turc|turque|americaine?|bresilienne?|congolaise?|rwandaise?|haitienne?|malgache|flamande?|wallonne?|binationale?|naturalisee?|handicapee?|sobre|abstinente?|non-fumeuse|non-fumeur|fumeuse|fumeur)",
    ),
    // Words of what is done to what, without a pronoun that would be who does it.
    (
        "np",
        " (?:les?|la|l'[a-z-]+|mes|tes|toute?s?|tous les|chaque|mon|ma)(?: (?:les?|la|l'[a-z-]+|mes|tes|de|du|des|d'[a-z-]+|a|au|aux|en|et|un|ma|ce|pr|[a-z-]{3,}|[0-9]+))*?",
    ),
    // Words that begin a clause.
    (
        "start",
        "(?:je|j'(?:[a-df-xz][a-z]*|e[a-mo-z][a-z]*)|jsuis|jveux|jpeux|chuis|chui|on|nous|mon|ma|mes|notre|nos|moi|c'est|merci|appelle-moi|appelez-moi|tutoie-moi|maintenant|desormais|dorenavant|hier|avant-hier|demain|apres-demain|ne|n'[a-z]+|me|est-ce|evite|evitez|quand meme|ca me|ca m'[a-z]+|ca fait|il faut|faut)",
    ),
];

const DAYS: &[DayWord] = &[
    day(When::Week(-1), " {weekday}{part} de la semaine (?:derniere|passee)"),
    day(When::Week(1), " {weekday}{part} de la semaine (?:prochaine|pro|qui vient)"),
    day(When::Week(-1), " la semaine (?:derniere|passee)(?: ,)? {weekday}"),
    day(When::Week(1), " la semaine (?:prochaine|pro|qui vient)(?: ,)? {weekday}"),
    day(
        When::None,
        " (?:(?:le|les|tous les|chaque) {weekday}s?|{weekday}s|la semaine (?:derniere|passee|pro|prochaine|qui vient)|le (?:week-end|weekend|mois) (?:dernier|prochain|passe)|en {month}) ",
    ),
    day(When::Day(-2), " avant-hier{part}"),
    day(When::Day(2), " apres-demain{part}"),
    day(When::Day(-1), " hier{part}"),
    day(When::Day(1), " demain{part}"),
    day(
        When::Day(0),
        " (?:aujourd'hui|ce (?:matin|soir|midi)|a soir|cet (?:apres-midi|aprem)|cette nuit|tout a l'heure|a l'instant)",
    ),
    day(When::Ago, " (?:il y a|ya|ca fait) {number} jours?"),
    day(When::Ahead, " dans {number} jours?"),
    day(When::Last, " {weekday}{part} (?:dernier|passe)"),
    day(When::Coming, " {weekday}{part} (?:prochain|qui vient)"),
    day(When::Nearest, " (?:ce )?{weekday}{part}"),
    day(
        When::Day(0),
        " (?:je viens|on vient|nous venons|(?:mon|ma|notre) [a-z]+(?: [a-z]+)? vient)(?: tout juste| juste)? (?:d'etre [a-z]+|(?:de |d')[a-z']+)",
    ),
];
