//! A client of chromedriver: the part of the WebDriver protocol that the checks need.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::program;
use crate::run::Result;

/// Maximum time that a check waits for something to appear.
const PATIENCE: Duration = Duration::from_secs(10);
/// The name under which the protocol refers to an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const INSTALL: &str = "apt-get install chromium chromium-driver";

/// The program that controls browsers. It is killed when it is dropped.
pub(super) struct Driver {
    child: Child,
    port: u16,
    browser: String,
}

/// The size and the settings of a browser.
#[derive(Clone, Copy)]
pub(super) struct Screen {
    pub(super) name: &'static str,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) is_dark: bool,
    pub(super) has_script: bool,
}

impl Screen {
    pub(super) const DESK: Self =
        Self { name: "desk, light", width: 1280, height: 900, is_dark: false, has_script: true };
    pub(super) const DARK: Self = Self { name: "desk, dark", is_dark: true, ..Self::DESK };
    pub(super) const PHONE: Self = Self { name: "phone", width: 390, height: 844, ..Self::DESK };
    pub(super) const PLAIN: Self = Self { name: "no script", has_script: false, ..Self::DESK };
    pub(super) const PICTURE: Self = Self { name: "picture", width: 1180, height: 760, ..Self::DESK };
}

/// A browser with one window. It is closed when it is dropped.
pub(super) struct Browser<'d> {
    driver: &'d Driver,
    session: String,
    /// The beginning of every address.
    base: String,
}

impl Driver {
    pub(super) fn start() -> Result<Self> {
        let browser = program(&["chromium", "chromium-browser", "google-chrome"], INSTALL)?;
        let browser = browser.get_program().to_string_lossy().into_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let browser =
            std::env::split_paths(&path).map(|folder| folder.join(&browser)).find(|file| file.is_file());
        let browser = browser.unwrap_or_default().to_string_lossy().into_owned();
        let mut child = program(&["chromedriver"], INSTALL)?
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("chromedriver could not be started: {e}"))?;
        let stdout = child.stdout.take().ok_or("chromedriver has no output")?;
        let mut lines = BufReader::new(stdout).lines().map_while(std::io::Result::ok);
        let port = lines.by_ref().find_map(|line| {
            line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
        });
        let driver = Self { child, port: port.ok_or("chromedriver prints no port")?, browser };
        // Read to the end, so that it never waits for a full pipe.
        thread::spawn(move || lines.for_each(drop));
        Ok(driver)
    }

    /// Opens a browser.
    pub(super) fn open(&self, base: &str, screen: Screen) -> Result<Browser<'_>> {
        let size = format!("--window-size={},{}", screen.width, screen.height);
        // Chromium refuses its sandbox to root, which runs the checks in a container.
        let mut arguments =
            vec!["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", &size];
        if screen.is_dark {
            arguments.push("--blink-settings=preferredColorScheme=0");
        }
        let mut options = json!({"args": arguments, "binary": self.browser});
        if screen.width < 500 {
            let metrics =
                json!({"width": screen.width, "height": screen.height, "pixelRatio": 2.0, "touch": true});
            options["mobileEmulation"] = json!({"deviceMetrics": metrics});
        }
        if !screen.has_script {
            options["prefs"] = json!({"profile.managed_default_content_settings.javascript": 2});
        }
        let wanted = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        });
        let opened = self.call("POST", "/session", &json!({"capabilities": {"alwaysMatch": wanted}}))?;
        let session = opened["sessionId"].as_str().ok_or("chromedriver opens no session")?.to_owned();
        Ok(Browser { driver: self, session: format!("/session/{session}"), base: base.to_owned() })
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let failed = |e: std::io::Error| format!("chromedriver does not answer: {e}");
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(failed)?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .map_err(failed)?;
        // chromedriver keeps the connection open, so the length of the body ends the response.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).map_err(failed)?;
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().unwrap_or_default();
                }
                None if line.trim().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).map_err(failed)?;
        let body = String::from_utf8_lossy(&body);
        let answer: Value =
            serde_json::from_str(&body).map_err(|e| format!("chromedriver sends no JSON: {e}"))?;
        match answer["value"]["error"].as_str() {
            Some(error) => {
                let message = answer["value"]["message"].as_str().unwrap_or_default();
                Err(format!("{error}: {}", message.lines().next().unwrap_or_default()))
            }
            None => Ok(answer["value"].clone()),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It fails only if the program has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Browser<'_> {
    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        self.driver.call(method, &format!("{}{path}", self.session), body)
    }

    /// Opens a page by its path, or by an address.
    pub(super) fn open(&self, path: &str) -> Result<()> {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        self.call("POST", "/url", &json!({"url": url})).map(drop)
    }

    pub(super) fn url(&self) -> Result<String> {
        Ok(self.call("GET", "/url", &Value::Null)?.as_str().unwrap_or_default().to_owned())
    }

    pub(super) fn title(&self) -> Result<String> {
        Ok(self.call("GET", "/title", &Value::Null)?.as_str().unwrap_or_default().to_owned())
    }

    /// Runs the body of a function in the page and returns its result.
    pub(super) fn script(&self, body: &str) -> Result<Value> {
        self.call("POST", "/execute/sync", &json!({"script": body, "args": []}))
    }

    /// Runs the body of a function that returns a promise, and returns what it resolves to.
    pub(super) fn promise(&self, body: &str) -> Result<Value> {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {body} }})().then(done, (e) => done(String(e)));"
        );
        self.call("POST", "/execute/async", &json!({"script": script, "args": []}))
    }

    fn find(&self, using: &str, value: &str) -> Result<String> {
        let found = self.call("POST", "/element", &json!({"using": using, "value": value}));
        let found = found.map_err(|e| format!("{value}: {e} on {}", self.url().unwrap_or_default()))?;
        Ok(found[ELEMENT].as_str().unwrap_or_default().to_owned())
    }

    /// Returns whether the page has an element.
    pub(super) fn has(&self, css: &str) -> Result<bool> {
        let found = self.call("POST", "/elements", &json!({"using": "css selector", "value": css}))?;
        Ok(found.as_array().is_some_and(|found| !found.is_empty()))
    }

    /// Returns the text that the page shows.
    pub(super) fn text(&self) -> Result<String> {
        let body = self.find("css selector", "body")?;
        Ok(self
            .call("GET", &format!("/element/{body}/text"), &Value::Null)?
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    /// Clicks an element.
    pub(super) fn click(&self, css: &str) -> Result<()> {
        let element = self.find("css selector", css)?;
        self.call("POST", &format!("/element/{element}/click"), &json!({})).map(drop)
    }

    /// Clicks the first element of a name that contains a text.
    pub(super) fn click_text(&self, name: &str, text: &str) -> Result<()> {
        let element = self.find("xpath", &format!("//{name}[contains(normalize-space(.), \"{text}\")]"))?;
        self.call("POST", &format!("/element/{element}/click"), &json!({})).map(drop)
    }

    /// Replaces the text of a field.
    pub(super) fn fill(&self, css: &str, text: &str) -> Result<()> {
        let element = self.find("css selector", css)?;
        self.call("POST", &format!("/element/{element}/clear"), &json!({}))?;
        self.call("POST", &format!("/element/{element}/value"), &json!({"text": text})).map(drop)
    }

    /// Presses keys, one after the other.
    pub(super) fn press(&self, keys: &str) -> Result<()> {
        let pressed = keys.chars().flat_map(|key| {
            let key = key.to_string();
            [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
        });
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": pressed.collect::<Vec<_>>()});
        self.call("POST", "/actions", &json!({"actions": [keyboard]})).map(drop)
    }

    /// Waits until a condition holds, and fails with what was waited for.
    pub(super) fn wait(&self, what: &str, condition: impl Fn(&Self) -> Result<bool>) -> Result<()> {
        let since = Instant::now();
        loop {
            match condition(self) {
                Ok(true) => return Ok(()),
                // A page that is being replaced has elements that are gone.
                Ok(false) | Err(_) if since.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(50)),
                Ok(false) => {
                    let (url, text) = (self.url().unwrap_or_default(), self.text().unwrap_or_default());
                    return Err(format!("{what} did not happen on {url}:\n{text}"));
                }
                Err(e) => return Err(format!("{what}: {e}")),
            }
        }
    }

    /// Waits until the page shows a text.
    pub(super) fn see(&self, text: &str) -> Result<()> {
        self.wait(&format!("{text:?}"), |browser| Ok(browser.text()?.contains(text)))
    }

    /// Returns the messages of the console since the last call, such as reports of the policy.
    pub(super) fn console(&self) -> Result<Vec<String>> {
        let messages = self.call("POST", "/se/log", &json!({"type": "browser"}))?;
        let messages = messages.as_array().cloned().unwrap_or_default();
        Ok(messages.iter().map(|message| message["message"].to_string()).collect())
    }

    /// Returns a picture of the window, as PNG.
    pub(super) fn picture(&self) -> Result<Vec<u8>> {
        let picture = self.call("GET", "/screenshot", &Value::Null)?;
        decoded(picture.as_str().unwrap_or_default())
            .ok_or_else(|| "chromedriver sends no picture".to_owned())
    }
}

impl Drop for Browser<'_> {
    fn drop(&mut self) {
        let _ = self.call("DELETE", "", &Value::Null);
    }
}

/// Decodes Base64; `None` if the text is none.
fn decoded(text: &str) -> Option<Vec<u8>> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(text.len() * 3 / 4), 0_u32, 0);
    for c in text.bytes().filter(|c| !b"=\r\n".contains(c)) {
        bits = bits << 6 | u32::try_from(DIGITS.iter().position(|digit| *digit == c)?).ok()?;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(bytes)
}
